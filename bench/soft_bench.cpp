// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>

#include "device_memory.h"
#include "dovetail/io.h"
#include "dovetail/registration.h"
#include "dovetail/workspace.h"
#include "harness.h"
#include "scans.h"
#include "search/soft_search.h"

// EM-ICP and Softassign: the paper's schedule of 66 poses by every machine (paper_em_icp_bench times the paper's own
// design on the same data); the dense pass in pairs a second; and whole registrations with default options.

namespace dovetail::bench {
namespace {

/// σ² from 0.01 to 1e-5 by 0.9, outliers beyond 0.1, 66 poses: for a bunny of 0.15.
EmIcp papers_schedule(double size, double accuracy) {
  EmIcp options;
  options.weighting = Weighting::square_root;
  options.sigma_start = 0.1 * size;
  options.sigma_end = 0.1 * std::sqrt(1e-3) * size;
  options.annealing = 0.9;
  options.outlier_distance = 0.1 * size;
  options.max_iterations = 66;
  options.starts = 1;
  options.accuracy = accuracy;
  return options;
}

/// 100 temperatures by 0.95, 5 poses each, 3 sweeps each.
Softassign papers_softassign(double size) {
  Softassign options;
  options.sigma_start = 0.1 * size;
  options.sigma_end = 0.1 * std::sqrt(std::pow(0.95, 100)) * size;
  options.annealing = std::pow(0.95, 0.2);
  options.sweeps = 3;
  options.max_iterations = 500;
  options.starts = 1;
  return options;
}

/// A pair that is ready on a machine.
template <class Options>
class Ready {
 public:
  Ready(const ScanPair& pair, const Options& options, Backend& backend) : backend_(backend) {
    backend.on_host([&] {
      prepared_ = prepare_clouds(pair.source, pair.target, {});
      using Clusters = LevelNeeds::Clusters;
      const LevelNeeds needs{.clusters = std::same_as<Options, EmIcp> ? Clusters::target : Clusters::both};
      levels_ = make_levels(prepared_, soft_voxels(options, prepared_), needs, backend);
    });
    plan_ = make_soft_plan(options, prepared_, levels_);
  }
  /// Milliseconds of the whole schedule from the identity.
  double run() {
    const Similarity3 start = prepared_.to_local(Transform::identity(Model::rigid3));
    batch_ = {};
    batch_.params = plan_.finish;
    batch_.data = soft_data_of(levels_);
    batch_.max_iterations = most_passes(plan_.finish);
    batch_.states = {soft_state(plan_.finish, prepared_, start)};
    const Stopwatch watch;
    backend_.run(batch_);
    return watch.milliseconds();
  }
  int poses() const { return batch_.states[0].iteration; }
  PoseError error(const ScanPair& pair) const {
    return pose_error(pair, prepared_.from_local(batch_.states[0].target_from_source, Model::rigid3));
  }

 private:
  Backend& backend_;
  Prepared prepared_;
  std::vector<Level> levels_;
  SoftPlan plan_;
  Batch<soft::Soft> batch_;
};

template <class Options>
void time_schedule(const Arguments& arguments, const ScanPair& pair, Workspace& workspace, int threads,
                   const std::string& what, const Options& options) {
  Ready<Options> ready(pair, options, workspace.backend());
  const Timing timing = measure_own(arguments, [&] { return ready.run(); });
  const PoseError error = ready.error(pair);
  Line("soft", what)
      .text("data", pair.name)
      .points(pair.source.size())
      .machine(workspace.machine_name(), threads)
      .number("poses", ready.poses())
      .number("degrees_off", error.degrees)
      .number("device_bytes", static_cast<double>(device_memory_used()))
      .value(timing);
}

/// Every pair, a few passes: pairs a second.
void time_dense(const Arguments& arguments, const ScanPair& pair, Workspace& workspace, int threads, double size,
                Weighting weighting) {
  constexpr int passes = 3;
  EmIcp options = papers_schedule(size, 0);
  options.weighting = weighting;
  options.max_iterations = passes;
  options.sigma_start = 0.03 * size;
  Ready<EmIcp> ready(pair, options, workspace.backend());
  const Timing timing = measure_own(arguments, [&] { return ready.run(); });
  const double pairs = static_cast<double>(pair.source.size()) * static_cast<double>(pair.target.size());
  Line("soft", weighting == Weighting::posterior ? "dense pass" : "dense pass, square roots")
      .text("data", pair.name)
      .points(pair.source.size())
      .machine(workspace.machine_name(), threads)
      .number("pass_ms", timing.median_ms / passes)
      .value(passes * pairs / (1e-3 * timing.median_ms), "pairs/s");
}

/// A whole registration, default options, any rotation.
template <class Options>
void time_registration(const Arguments& arguments, const ScanPair& pair, Workspace& workspace, int threads,
                       const std::string& what) {
  Run run;
  run.workspace = &workspace;
  run.trace = false;
  Registration result;
  const Timing timing = measure(arguments, [&] { result = register_points(pair.source, pair.target, Options{}, run); });
  Line("soft", what)
      .text("data", pair.name)
      .points(pair.source.size())
      .machine(workspace.machine_name(), threads)
      .number("poses", result.iterations)
      .number("degrees_off", pose_error(pair, result.target_from_source).degrees)
      .number("prepare_ms", result.time_ms.prepare)
      .number("loop_ms", result.time_ms.loop)
      .value(timing);
}

void run_on(const Arguments& arguments, const ScanPair& pair, double size, Machine machine, int threads) {
  Workspace workspace(machine, 0, threads);
  const ThreadLimit limit(threads > 0 ? threads : all_threads());
  const bool gpu = machine == Machine::cuda;
  const std::size_t points = pair.source.size();
  EmIcp posterior = papers_schedule(size, 1e-6);
  posterior.weighting = Weighting::posterior;
  time_schedule(arguments, pair, workspace, threads, "paper's schedule", posterior);
  if (points <= 50'000) {
    time_schedule(arguments, pair, workspace, threads, "paper's schedule, square roots", papers_schedule(size, 1e-6));
    EmIcp dense = posterior;
    dense.accuracy = 0;
    if (gpu || points < 6'000) {
      time_schedule(arguments, pair, workspace, threads, "paper's schedule, every pair", dense);
    }
  }
  if (points < 6'000) {
    time_schedule(arguments, pair, workspace, threads, "softassign, the paper's schedule", papers_softassign(size));
  }
  if (gpu || points < 50'000) {
    time_dense(arguments, pair, workspace, threads, size, Weighting::posterior);
    time_dense(arguments, pair, workspace, threads, size, Weighting::square_root);
  }
  time_registration<EmIcp>(arguments, pair, workspace, threads, "em_icp, default options");
  if (points < 6'000) time_registration<Softassign>(arguments, pair, workspace, threads, "softassign, default options");
}

}  // namespace
}  // namespace dovetail::bench

int main(int argc, char** argv) {
  using namespace dovetail::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  describe_machine("soft");
  for (const std::size_t count : {5'032, 40'097, 1'000'000}) {
    if (arguments.quick && count > 50'000) continue;
    const SizedPair pair = bunny_like_pair(count);
    if (!cuda_machines().empty()) run_on(arguments, pair.pair, pair.size, dovetail::Machine::cuda, 0);
    if (arguments.gpu_only || count > 50'000) continue;
    for (const int threads : thread_counts()) run_on(arguments, pair.pair, pair.size, dovetail::Machine::cpu, threads);
  }
}
