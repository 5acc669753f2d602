// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <memory>
#include <optional>

#include "dovetail/registration.h"
#include "harness.h"
#include "peers/peer.h"
#include "plain_icp.h"
#include "scans.h"

// Registration, end to end and the loop alone, with the error of the answer beside every time: a fast wrong answer is
// to be seen as one.

namespace dovetail::bench {
namespace {

const char* const name = "icp";
constexpr int max_iterations = 50;
constexpr double tolerance = 1e-5;
constexpr int neighbours = 16;
/// Beyond so many points the slow peers (one thread, no levels) are left out: minutes a run.
constexpr std::size_t most_for_gicp = 100'000;

struct Case {
  ScanPair pair;
  double max_distance;  ///< of the textbook methods, in file units
};

/// A machine and how many threads it may use.
struct Place {
  Machine machine;
  std::string name;
  int threads;
};

Line line(const Case& c, const std::string& what, const std::string& method, const Place& place,
          const Transform& found) {
  const PoseError error = pose_error(c.pair, found);
  Line l(name, what);
  l.text("method", method).text("data", c.pair.name).points(c.pair.source.size()).machine(place.name, place.threads);
  l.number("error_degrees", error.degrees).number("error_of_radius", error.shift);
  return l;
}

/// register_points as a user calls it.
void run_api(const Arguments& arguments, const Case& c, const Place& place, const std::string& method,
             const Icp& options) {
  Workspace workspace(place.machine, 0, place.threads);
  Run run;
  run.workspace = &workspace;
  Registration result;
  std::vector<double> prepare, loop;
  const Timing total = measure(arguments, [&] {
    result = register_points(c.pair.source, c.pair.target, options, run);
    prepare.push_back(result.time_ms.prepare), loop.push_back(result.time_ms.loop);
  });
  line(c, "total", method, place, result.target_from_source)
      .number("prepare_ms", timing_of(prepare).median_ms)
      .number("loop_ms", timing_of(loop).median_ms)
      .number("iterations", result.iterations)
      .value(total);
}

/// What the peers do, done by us.
void run_plain(const Arguments& arguments, const Case& c, const Place& place, Metric metric) {
  const std::string method = metric == Metric::point_to_plane ? "point_to_plane" : "plane_to_plane";
  Workspace workspace(place.machine, 0, place.threads);
  const PlainIcp::Settings settings{metric, c.max_distance, max_iterations, tolerance, neighbours};
  std::vector<double> prepare, loop;
  std::optional<PlainIcp> icp;
  const Timing total = measure(arguments, [&] {
    icp.emplace(c.pair, settings, workspace);
    icp->run();
    prepare.push_back(icp->prepare_ms()), loop.push_back(icp->loop_ms());
  });
  line(c, "total", "textbook " + method, place, icp->target_from_source())
      .number("prepare_ms", timing_of(prepare).median_ms)
      .number("loop_ms", timing_of(loop).median_ms)
      .number("iterations", icp->iterations())
      .value(total);
  const Timing again = measure_own(arguments, [&] {
    icp->run();
    return icp->loop_ms();
  });
  const double passes = icp->iterations();
  line(c, "iteration", "textbook " + method, place, icp->target_from_source())
      .number("iterations", passes)
      .number("touched_gb_per_s", passes * icp->touched_bytes() / again.median_ms / 1e6)
      .number("memory_gb_per_s", passes * icp->memory_bytes() / again.median_ms / 1e6)
      .value(1000 * again.median_ms / passes, "us");
}

void run_peer(const Arguments& arguments, const Case& c, Peer& peer, int threads) {
  const std::vector<float> source = interleaved(c.pair.source), target = interleaved(c.pair.target);
  const PeerSettings settings{threads, neighbours, c.max_distance, max_iterations, tolerance};
  for (const std::string& method : peer.methods()) {
    if (method == "gicp" && c.pair.source.size() > most_for_gicp) continue;
    PeerRegistration result;
    std::vector<double> prepare, loop;
    const Timing total = measure_own(arguments, [&] {
      peer.register_clouds(method, {source.data(), source.size() / 3}, {target.data(), target.size() / 3}, settings,
                           result);
      prepare.push_back(result.prepare_ms), loop.push_back(result.loop_ms);
      return result.prepare_ms + result.loop_ms;
    });
    Mat4 pose{};
    for (int i = 0; i < 16; ++i) pose[i] = result.target_from_source[i];
    Line l = line(c, "total", "textbook " + method, {Machine::cpu, "cpu", threads}, {Model::affine3, pose});
    l.peer(peer.name()).number("prepare_ms", timing_of(prepare).median_ms);
    l.number("loop_ms", timing_of(loop).median_ms);
    if (result.iterations > 0) l.number("iterations", result.iterations);
    l.value(total);
  }
}

void run(const Arguments& arguments, const Case& c, const std::vector<std::unique_ptr<Peer>>& peers) {
  std::vector<Place> places;
  for (const int threads : thread_counts()) {
    const bool slow = c.pair.source.size() > 500'000 && threads == 1;
    if (!arguments.gpu_only && !slow) places.push_back({Machine::cpu, "cpu", threads});
  }
  if (!cuda_machines().empty()) places.push_back({Machine::cuda, cuda_machines().front(), 0});
  Icp one_start;
  one_start.starts = 1;
  for (const Place& place : places) {
    // Preparation spreads over all cores whatever the machine is asked to use: hold it to what is measured.
    const ThreadLimit limit(place.threads > 0 ? place.threads : all_threads());
    run_api(arguments, c, place, "default", {});
    run_api(arguments, c, place, "one start", one_start);
    run_plain(arguments, c, place, Metric::point_to_plane);
    run_plain(arguments, c, place, Metric::plane_to_plane);
  }
  if (arguments.gpu_only) return;
  for (const auto& peer : peers) run_peer(arguments, c, *peer, all_threads());
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  describe_machine("icp");
  const auto peers = load_peers(arguments);
  std::vector<std::size_t> sizes = {5'000, 40'000};
  if (!arguments.quick) sizes.insert(sizes.end(), {400'000, 1'000'000});
  for (const std::size_t count : sizes) {
    Case c{synthetic_pair(count), 0};
    c.max_distance = 0.3 * radius_of(c.pair.source);
    run(arguments, c, peers);
  }
  for (const ScanPair& pair : real_pairs()) {
    // The bunny's own 45 degrees are beyond methods without a search for the start: a fair one is nearer.
    const double distance = 0.1 * radius_of(pair.source);
    if (pair.name != "lidar") {
      Case c{near_start(pair, 5, 0.05), distance};
      c.pair.name += ", 5 degrees off";
      run(arguments, c, peers);
    }
    run(arguments, {pair, distance}, peers);
  }
}
