// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/workspace.h"
#include "harness.h"
#include "scans.h"
#include "search/icp_levels.h"

// Many starts refined together at the coarsest level, as the search for a start does it: the time a start. Every start
// runs its whole schedule over the same few hundred points, so the work grows with the batch and nothing else; that
// the clouds behind the level are larger must not show.

namespace dovetail::bench {
namespace {

void run(const Arguments& arguments, const ScanPair& pair, Machine machine, int threads) {
  Workspace workspace(machine, 0, threads);
  Backend& backend = workspace.backend();
  const ThreadLimit limit(threads > 0 ? threads : all_threads());
  const Prepared prepared = prepare_clouds(pair.source, pair.target, {});
  const IcpPlan plan = make_icp_plan({}, prepared);
  const std::vector<Level> levels = make_levels(prepared, plan.voxels, plan.needs, backend);
  const Similarity3 given = prepared.to_local(Transform::identity(Model::rigid3));
  const Vec3 center = given * prepared.source->centroid;
  const std::size_t coarse = levels.front().source->points.count;

  for (const int starts : {1, 16, 256, 1024}) {
    if (arguments.quick && starts > 256) continue;
    std::vector<IcpStart> spread = starts_nearby(given, prepared, plan.params.free, starts);
    IcpJourney journey;
    const Timing timing = measure_own(arguments, [&] {
      journey = {};
      journey.data = surfaces_of(levels);
      for (const IcpStart& start : spread) journey.states.push_back(start_state(plan, prepared, start, center));
      const Stopwatch watch;
      run_levels(journey, plan, 1, backend, {});
      return watch.milliseconds();
    });
    double iterations = 0;
    for (const icp::State& state : journey.states) iterations += state.iteration;
    Line("batch", "starts")
        .text("data", pair.name)
        .points(coarse)
        .number("full_points", static_cast<double>(pair.source.size()))
        .machine(workspace.machine_name(), threads)
        .number("starts", starts)
        .number("iterations_per_start", iterations / starts)
        .number("total_ms", timing.median_ms)
        .value(1000 * timing.median_ms / starts, "us per start");
  }
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  describe_machine("batch");
  for (const std::size_t count : {40'000, 1'000'000}) {
    if (arguments.quick && count > 40'000) continue;
    const ScanPair pair = synthetic_pair(count);
    if (!cuda_machines().empty()) run(arguments, pair, dovetail::Machine::cuda, 0);
    if (arguments.gpu_only) continue;
    for (const int threads : thread_counts()) run(arguments, pair, dovetail::Machine::cpu, threads);
  }
}
