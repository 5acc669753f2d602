// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <memory>

#include "backend/backend.h"
#include "dovetail/workspace.h"
#include "gpicp/scene.h"
#include "harness.h"
#include "methods/gpicp.h"
#include "methods/icp.h"
#include "search/halving.h"
#include "search/starts.h"
#include "spatial/local_cloud.h"

// The GPICP thesis's whole load as one batch: 21 instances of 100,000 points, 16 starts each, 20 iterations, against a
// scene of 60,000 points; by the thesis's own loop and by the library's, and with a hundred times the starts. The
// library's loop ends as the library does: the leaders of each instance go on by ICP.

namespace dovetail::bench {
namespace {

using namespace gpicp_studies;

/// Points of an object that ICP ends with.
constexpr std::size_t last_points = 4000;

LocalCloud some_of(const LocalCloud& cloud) {
  std::vector<std::uint32_t> order;
  const std::size_t count = std::min(last_points, cloud.size());
  for (std::size_t i = 0; i < count; ++i) order.push_back(static_cast<std::uint32_t>(i * cloud.size() / count));
  return gather(cloud, order);
}

/// Scene and objects in a machine's memory.
struct Load {
  Backend& backend;
  std::unique_ptr<Scene> scene;
  std::vector<StudiedObject> objects;
  std::vector<LocalCloud> thinned;  ///< of the objects
  Keeper keeper;
  std::vector<gpicp::Data> by_field, by_tree;
  std::vector<icp::PointToPoint::Data> pairs;  ///< of the thinned objects and the scene

  Load(Backend& on, std::size_t points) : backend(on), scene(laid_scene(0, on)) {
    Memory& memory = backend.memory();
    Placed<KdTreeView> tree = put(memory, scene->tree);
    Placed<LeftBalancedView> left_balanced = put(memory, scene->left_balanced);
    for (const find::SoughtObject& sought : scene->laid.objects) objects.push_back(studied(sought, points));
    for (const StudiedObject& object : objects) {
      Placed<CloudView> cloud = put(memory, object.cloud);
      gpicp::Data data;
      data.source = cloud.view;
      data.target = tree.view;
      by_tree.push_back(data);
      by_tree.back().left_balanced = left_balanced.view;
      data.field = scene->field.view;
      by_field.push_back(data);
      keeper.add(std::move(cloud.keeper));
      thinned.push_back(some_of(object.cloud));
    }
    for (const LocalCloud& cloud : thinned) {
      Placed<CloudView> placed = put(memory, cloud);
      pairs.push_back({placed.view, tree.view, {}});
      keeper.add(std::move(placed.keeper));
    }
    keeper.add(std::move(tree.keeper)), keeper.add(std::move(left_balanced.keeper));
  }
};

struct Loop {
  const char* name;
  int sets, set_points, scored_points;  ///< 0 scored points: a 32nd of all
  bool keeps_pose, field;
  bool ends_by_icp = false;
};

/// So many starts of every instance: its guess, turned evenly every way.
std::vector<gpicp::State> states_of(const Load& load, const gpicp::Params& params, const std::vector<gpicp::Data>& data,
                                    int starts) {
  const std::vector<Mat3> turns = spread_rotations(0b111, starts);
  std::vector<gpicp::State> states;
  for (const Instance& instance : load.scene->instances) {
    const StudiedObject& object = load.objects[instance.object];
    const Vec3 center = instance.truth * object.centroid + (0.3 * object.radius) * instance.aside;
    for (const Mat3& turn : turns) {
      gpicp::State s;
      s.data = static_cast<std::uint32_t>(instance.object);
      s.start = static_cast<std::uint32_t>(states.size());
      s.target_from_source.rotation = turn * instance.turn * instance.truth.rotation;
      s.target_from_source.translation = center - s.target_from_source.rotation * object.centroid;
      s.center = center;
      s.radius = object.radius;
      states.push_back(gpicp::first_state(params, data[s.data], s));
    }
  }
  return states;
}

/// So many starts of an instance run to the end.
constexpr std::size_t never_dropped = 16;

bool better(const gpicp::State& a, const gpicp::State& b) { return a.score > b.score; }

/// The best of each instance's starts.
void keep_best(std::vector<gpicp::State>& states, std::size_t instances, std::size_t kept) {
  const std::size_t each = states.size() / instances;
  std::vector<gpicp::State> left;
  for (std::size_t k = 0; k < instances; ++k) {
    const auto first = states.begin() + static_cast<std::ptrdiff_t>(k * each);
    std::stable_sort(first, first + static_cast<std::ptrdiff_t>(each), better);
    left.insert(left.end(), first, first + static_cast<std::ptrdiff_t>(std::min(kept, each)));
  }
  states = std::move(left);
}

/// How far apart the least and the largest number of a group are, in the group where it is most.
double widest(const std::vector<std::vector<double>>& groups) {
  double most = 0;
  for (const std::vector<double>& group : groups) {
    if (group.empty()) continue;
    const auto [low, high] = std::minmax_element(group.begin(), group.end());
    most = std::max(most, *high - *low);
  }
  return most;
}

/// The leaders of each instance go on by ICP, and the best of them, by how many of their points lie how near, is left.
constexpr std::size_t leaders = 4;

void end_by_icp(const Load& load, double first_scale, std::vector<gpicp::State>& states) {
  const std::size_t instances = load.scene->instances.size();
  keep_best(states, instances, leaders);
  Batch<icp::PointToPoint> batch;
  icp::LevelPlan& plan = batch.params.level[0];
  plan.kernel = Kernel::truncated;
  plan.first_scale = first_scale, plan.last_scale = 0.25 * first_scale, plan.reach = 1;
  plan.anneal = 20, plan.max_iterations = 40, plan.tolerance = 1e-5 * first_scale;
  batch.params.levels = 1;
  batch.params.free = 0b111111;
  batch.max_iterations = plan.max_iterations;
  batch.data = load.pairs;
  for (const gpicp::State& s : states) {
    icp::State state;
    state.coarsest = s.data;
    state.target_from_source = s.target_from_source, state.center = s.center, state.radius = s.radius;
    batch.states.push_back(icp::first_state(batch.params, state));
  }
  load.backend.run(batch);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const icp::State& end = batch.states[i];
    states[i].target_from_source = end.target_from_source;
    const double off = end.rmse / plan.last_scale;
    states[i].score = end.used_ratio * (1 - off * off);
  }
  keep_best(states, instances, 1);
}

void run(const Load& load, const Loop& loop, int starts, const Arguments& arguments, const std::string& machine) {
  const std::vector<gpicp::Data>& data = loop.field ? load.by_field : load.by_tree;
  Batch<gpicp::PointToPoint> batch;
  gpicp::Params& p = batch.params;
  p.sets = loop.sets, p.set_points = loop.set_points, p.iterations = 20;
  p.scored_points = loop.scored_points > 0 ? loop.scored_points : static_cast<int>(load.objects[0].size() / 32);
  p.keeps_pose = loop.keeps_pose, p.scores_evenly = loop.keeps_pose;
  p.lookup = loop.field ? Lookup::field : Lookup::depth_first;
  // One schedule for objects of three sizes: the middle one's.
  double radius = 0;
  for (const StudiedObject& object : load.objects) radius += object.radius / static_cast<double>(load.objects.size());
  p.first_reach = Scene::widest_reach(radius), p.last_reach = radius / 12;
  batch.data = data;
  const std::vector<gpicp::State> first = states_of(load, p, data, starts);
  const std::size_t instances = load.scene->instances.size();
  const std::vector<HalvingRound> rounds =
      halving_rounds(static_cast<std::size_t>(starts), p.iterations, never_dropped);
  const Timing timing = measure_own(arguments, [&] {
    batch.states = first;
    const Stopwatch watch;
    for (const HalvingRound& round : rounds) {
      batch.max_iterations = 2 * round.iterations;
      load.backend.run(batch);
      keep_best(batch.states, instances, round.kept);
    }
    if (loop.ends_by_icp) end_by_icp(load, p.last_reach, batch.states);
    return watch.milliseconds();
  });
  // The best start of each instance, by what the loop itself sees.
  double mean = 0, right = 0;
  std::vector<std::vector<double>> above(load.objects.size()), right_above(load.objects.size());
  const std::size_t each = batch.states.size() / instances;
  for (std::size_t k = 0; k < instances; ++k) {
    const auto from = batch.states.begin() + static_cast<std::ptrdiff_t>(k * each);
    const auto best = std::min_element(from, from + static_cast<std::ptrdiff_t>(each), better);
    const Instance& instance = load.scene->instances[k];
    const StudiedObject& object = load.objects[instance.object];
    const double error = exact_error(*load.scene, object, best->target_from_source);
    mean += error / static_cast<double>(instances);
    above[instance.object].push_back((error - exact_error(*load.scene, object, instance.truth)) / object.radius);
    if (!is_right(*load.scene, instance, best->target_from_source)) continue;
    right += 1;
    right_above[instance.object].push_back(above[instance.object].back());
  }
  Line("gpicp", "the thesis's load")
      .text("loop", loop.name)
      .points(load.objects[0].size())
      .machine(machine)
      .number("instances", static_cast<double>(instances))
      .number("starts_each", starts)
      .number("scored_points", p.scored_points)
      .number("exact_error", mean)
      .number("spread_in_a_group_of_radius", widest(above))
      .number("spread_of_right_of_radius", widest(right_above))
      .number("right", right)
      .value(timing);
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail;
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  describe_machine("gpicp");
  std::vector<Machine> machines;
  if (!cuda_machines().empty()) machines.push_back(Machine::cuda);
  if (!arguments.gpu_only) machines.push_back(Machine::cpu);
  for (const Machine machine : machines) {
    const bool gpu = machine == Machine::cuda, small = arguments.quick || !gpu;
    Workspace workspace(machine, 0, gpu ? 0 : all_threads());
    const Load load(workspace.backend(), small ? 10'000 : 100'000);
    constexpr Loop thesis = {"thesis, left-balanced tree", 32, 16, 0, false, false};
    constexpr Loop field = {"thesis, field", 32, 16, 0, false, true};
    constexpr Loop library = {"32 sets, 1,000 scored, field", 32, 16, 1000, true, true};
    constexpr Loop ended = {"32 sets, 1,000 scored, field; ends by ICP", 32, 16, 1000, true, true, true};
    constexpr Loop fewer = {"8 sets of 12, 300 scored, field", 8, 12, 300, true, true};
    for (const Loop& loop : {thesis, field, library, ended, fewer}) {
      run(load, loop, 16, arguments, workspace.machine_name());
    }
    if (gpu && !arguments.quick) {
      run(load, library, 1600, arguments, workspace.machine_name());
      run(load, ended, 1600, arguments, workspace.machine_name());
      run(load, fewer, 1600, arguments, workspace.machine_name());
    }
  }
}
