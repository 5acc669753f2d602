// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/workspace.h"
#include "harness.h"
#include "prepare/icp_plan.h"
#include "scans.h"
#include "spatial/morton.h"
#include "spatial/scale.h"
#include "spatial/selection.h"
#include "spatial/voxel_grid.h"

// Where the time before the loop goes: the steps of prepare_clouds and build_problem one by one, for one of the two
// clouds, and both functions as a whole.

namespace dovetail::bench {
namespace {

class Steps {
 public:
  Steps(const Arguments& arguments, std::size_t points, std::string machine, int threads)
      : arguments_(arguments), points_(points), machine_(std::move(machine)), threads_(threads) {}

  template <class Work>
  void operator()(const std::string& what, const Work& work) const {
    Line("prepare", what).points(points_).machine(machine_, threads_).value(measure(arguments_, work));
  }

 private:
  const Arguments& arguments_;
  std::size_t points_;
  std::string machine_;
  int threads_;
};

void run_steps(const Steps& step, const PointCloud& cloud) {
  const Selection usable = select_usable(cloud);
  const Bounds box = main_bounds(cloud, usable.kept);
  const LocalFrame frame = local_frame(box, local_scale(box.diagonal()));
  const LocalCloud local = make_local_cloud(cloud, usable.kept, frame);
  const LocalCloud sorted = gather(local, morton_order(local.x, local.y, local.z, local.index));
  const KdTree tree(sorted.x, sorted.y, sorted.z, sorted.index);
  step("one cloud: select usable points", [&] { select_usable(cloud); });
  step("one cloud: bounds", [&] { main_bounds(cloud, usable.kept); });
  step("one cloud: local coordinates", [&] { make_local_cloud(cloud, usable.kept, frame); });
  step("one cloud: order along the curve",
       [&] { gather(local, morton_order(local.x, local.y, local.z, local.index)); });
  step("one cloud: k-d tree", [&] { KdTree(sorted.x, sorted.y, sorted.z, sorted.index); });
  step("one cloud: scale", [&] { measure_scale(tree); });
  step("one cloud: coarse voxels", [&] { voxel_downsample(sorted, 0.05); });
  step("one cloud: middle voxels", [&] { voxel_downsample(sorted, 0.05 / 3); });
}

void run(const Arguments& arguments, const ScanPair& pair, Machine machine, int threads) {
  Workspace workspace(machine, 0, threads);
  Backend& backend = workspace.backend();
  const ThreadLimit limit(threads > 0 ? threads : all_threads());
  const Steps step(arguments, pair.source.size(), workspace.machine_name(), threads);
  if (machine == Machine::cpu) run_steps(step, pair.source);
  const Prepared prepared = prepare_clouds(pair.source, pair.target, {});
  const IcpPlan plan = make_icp_plan({}, prepared);
  const KdTree& tree = prepared.source->tree;
  const Placed<KdTreeView> placed = put(backend.memory(), tree);
  step("one cloud: normals from 20 neighbours", [&] {
    Keeper keeper;
    estimate_normals(tree, placed.view, true, {.neighbours = plan.needs.neighbours}, backend, keeper);
  });
  step("both clouds: prepare_clouds", [&] { prepare_clouds(pair.source, pair.target, {}); });
  step("both clouds: make_levels", [&] { make_levels(prepared, plan.voxels, plan.needs, backend); });
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  describe_machine("prepare");
  for (const std::size_t count : {40'000, 1'000'000}) {
    if (arguments.quick && count > 40'000) continue;
    const ScanPair pair = synthetic_pair(count);
    if (!cuda_machines().empty()) run(arguments, pair, dovetail::Machine::cuda, 0);
    if (arguments.gpu_only) continue;
    for (const int threads : thread_counts()) run(arguments, pair, dovetail::Machine::cpu, threads);
  }
}
