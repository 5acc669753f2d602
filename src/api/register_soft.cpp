// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>

#include "api/diagnose.h"
#include "api/icp_runner.h"
#include "api/register_icp.h"
#include "api/registration_job.h"
#include "api/soft_search.h"
#include "dovetail/error.h"
#include "dovetail/options.h"

namespace dovetail {

namespace {

/// EM-ICP or Softassign from the first start to the judged answer.
template <class Options>
class SoftRegistration {
 public:
  SoftRegistration(const char* method, const Options& options, RegistrationJob& job)
      : method_(method), options_(options), job_(job) {}

  Registration run() {
    Registration result = job_.begin(method_);
    result.options = options_;
    if (job_.hopeless()) return result;
    const NormalsNeeded normals{.source = true, .target = true, .neighbours = options_.normal_neighbours};
    const Clusters clusters =
        std::same_as<Options, EmIcp> && !options_.estimate_scale ? Clusters::target : Clusters::both;
    std::vector<double> voxels;
    job_.backend().on_host([&] { voxels = soft_voxels(options_, job_.prepared()); });
    std::vector<Problem> problems = job_.build(voxels, normals, clusters);
    plan_ = make_soft_plan(options_, job_.prepared(), problems.front());
    job_.place(std::move(problems));
    result.time_ms.prepare = job_.milliseconds();
    answer(search_soft_starts(plan_, job_), result);
    result.time_ms.total = job_.milliseconds();
    result.time_ms.loop = result.time_ms.total - result.time_ms.prepare;
    return result;
  }

 private:
  struct Refined {
    soft::State state;
    soft::Sums sums{};
    StopRequest stopped = StopRequest::none;
  };

  bool several() const { return plan_.starts > 1 || job_.given().size() > 1; }

  /// Takes a pose through the finest level, leaving rows in the result.
  Refined refine(const Similarity3& pose, Registration& traced) {
    Batch<soft::Soft> batch;
    batch.params = plan_.finish;
    batch.max_iterations = most_passes(plan_.finish);
    batch.control = job_.control();
    batch.states = {soft_state(plan_.finish, job_.prepared(), pose)};
    const Run& run = job_.run();
    if (run.trace || run.on_iteration) {
      batch.traced = 0;
      if (run.on_iteration) {
        batch.observer = [&](const soft::State& state) {
          if (!ends_update(state)) return true;
          stopped_by_observer_ = !run.on_iteration(iteration_of(state));
          return !stopped_by_observer_;
        };
      }
    }
    job_.backend().run(batch);
    if (batch.traced == 0 && run.trace) {
      for (const soft::State& state : batch.trace) {
        if (ends_update(state)) traced.trace.push_back(iteration_of(state));
      }
    }
    return {batch.states[0], batch.sums[0], batch.stopped};
  }

  /// Whether a state comes out of a pose update, not from a sweep before one.
  static bool ends_update(const soft::State& state) { return state.pass == 0; }

  /// The search's winner at the finest level; the others as they are.
  void answer(const SoftSearch& search, Registration& result) {
    std::vector<Similarity3> poses = search.ranked;
    Refined leader;
    leader.stopped = search.stopped;
    if (search.stopped == StopRequest::none) {
      leader = refine(poses[0], result);
      poses[0] = leader.state.target_from_source;
    }
    const std::size_t different = poses.size();
    if (leader.stopped != StopRequest::none && !stopped_by_observer_) {
      // Cut short, it may have been better before.
      poses.push_back(search.ranked[0]);
      poses.insert(poses.end(), job_.given().begin(), job_.given().end());
    }
    std::vector<Registration> answers(poses.size());
    evaluate_results(job_.prepared(), job_.run(), job_.backend(), job_.full_resolution(), poses, answers);
    std::size_t best = 0;
    for (std::size_t i = different; i < poses.size(); ++i) best = answers[i].score > answers[best].score ? i : best;
    result.termination = termination_of(leader.state.status, leader.stopped);
    result.iterations = leader.state.iteration;
    result.target_from_source = job_.prepared().from_local(poses[best], job_.model());
    copy_evaluation(answers[best], result);
    job_.set_alternatives(poses[best], std::span(poses).subspan(1, different - 1),
                          std::span(answers).subspan(1, different - 1), several(), result);
    // What a stopped search leaves is no answer, and not judged like one.
    search.stopped == StopRequest::none ? finish(poses[best], result) : conclude(job_.run(), result);
  }

  void finish(const Similarity3& pose, Registration& result) {
    const bool lost = result.termination == Termination::no_correspondences;
    const bool stopped =
        result.termination == Termination::time_limit || result.termination == Termination::stopped_by_callback;
    if (plan_.refinement == Refinement::icp && !lost && !stopped && result.termination != Termination::degenerate) {
      Icp icp;
      icp.starts = 1;
      icp.normal_neighbours = plan_.normal_neighbours;
      icp.estimate_scale = job_.estimates_scale();
      if (icp.estimate_scale) icp.metric = Metric::point_to_point;
      icp.free = plan_.free;
      polish_by_icp(pose, icp, job_, result);
      return;
    }
    // What the surface's shape holds fast, whatever the method: as ICP tells it.
    IcpPlan shape_plan = make_icp_plan({.levels = 1, .free = plan_.free}, job_.prepared());
    const Place place = job_.full_resolution();
    shape_plan.params.level[place.level] = shape_plan.params.level[0];
    icp::State state =
        start_state(shape_plan, job_.prepared(), {.pose = pose, .first_level = static_cast<int>(place.level)},
                    pose * job_.prepared().source_centroid);
    state.problem = place.problem;
    const NormalEquations<6> shape = plane_equations(shape_plan, state, job_.backend());
    set_weak_directions(shape, plan_.finish.model.free, job_.prepared(), result);
    if (!lost && result.termination != Termination::degenerate) {
      set_covariance(job_.estimates_scale() ? job_.shape_with_scale(pose, state.center, result) : with_scale_row(shape),
                     plan_.finish.model.free, job_.estimates_scale(), state.center, job_.prepared(), result);
      job_.judge_errors(pose, state.center, result);
    }
    conclude(job_.run(), result);
  }

  Iteration iteration_of(const soft::State& state) const {
    Iteration row;
    row.iteration = state.iteration - 1;
    row.level = static_cast<int>(state.pass_level);
    row.rmse = job_.prepared().from_local(state.rmse);
    row.used_ratio = state.used_ratio;
    row.sigma = job_.prepared().from_local(state.pass_sigma);
    row.objective = job_.prepared().from_local(job_.prepared().from_local(state.objective));
    row.target_from_source = job_.prepared().from_local(state.target_from_source, job_.model());
    return row;
  }

  bool stopped_by_observer_ = false;
  const char* method_;
  const Options& options_;
  RegistrationJob& job_;
  SoftPlan plan_;
};

template <class Options>
Registration register_soft(const char* method, const PointCloud& source, const PointCloud& target,
                           const Options& options, const Run& run) {
  validate(options);
  RegistrationJob job(source, target, run, options.estimate_scale);
  return SoftRegistration<Options>(method, options, job).run();
}

}  // namespace

template <class Options>
requires std::same_as<Options, EmIcp> || std::same_as<Options, Softassign> || std::same_as<Options, MethodOptions>
    Registration register_points(const PointCloud& source, const PointCloud& target, const Options& options,
                                 const Run& run) {
  if constexpr (std::same_as<Options, EmIcp>) {
    if (options.estimate_scale && options.weighting == Weighting::square_root) {
      throw InvalidArgument("option weighting: square_root cannot estimate a scale; set it to posterior");
    }
    return register_soft("em_icp", source, target, options, run);
  }
  if constexpr (std::same_as<Options, Softassign>) return register_soft("softassign", source, target, options, run);
  if constexpr (std::same_as<Options, MethodOptions>) {
    return std::visit([&](const auto& method) { return register_points(source, target, method, run); }, options);
  }
}
template Registration register_points(const PointCloud&, const PointCloud&, const EmIcp&, const Run&);
template Registration register_points(const PointCloud&, const PointCloud&, const Softassign&, const Run&);
template Registration register_points(const PointCloud&, const PointCloud&, const MethodOptions&, const Run&);

}  // namespace dovetail
