// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>

#include "api/diagnose.h"
#include "api/icp_runner.h"
#include "api/register_icp.h"
#include "api/registration_job.h"
#include "api/soft_search.h"
#include "dovetail/options.h"

namespace dovetail {

namespace {

/// Answers with at least this share of the best score are refined at the finest level; the others are only reported.
constexpr double contender = 0.8;
/// What another answer must be better by, at full resolution, to take the place of the search's winner.
constexpr double clearly = 1.02;

/// EM-ICP or Softassign from the first start to the judged answer.
class SoftRegistration {
 public:
  SoftRegistration(const char* method, const MethodOptions& options, const SoftPlan& plan, RegistrationJob& job)
      : method_(method), options_(options), plan_(plan), job_(job) {}

  Registration run() {
    Registration result = job_.begin(method_);
    result.options = options_;
    if (job_.hopeless()) return result;
    const NormalsNeeded normals{.source = true, .target = true, .neighbours = plan_.normal_neighbours};
    job_.place(job_.build(plan_.voxels, normals, plan_.whole.turns > 0 ? Clusters::both : Clusters::target));
    result.time_ms.prepare = job_.milliseconds();
    answer(search_soft_starts(plan_, job_), result);
    result.time_ms.total = job_.milliseconds();
    result.time_ms.loop = result.time_ms.total - result.time_ms.prepare;
    return result;
  }

 private:
  struct Refined {
    std::vector<soft::State> states;
    std::vector<soft::Sums> sums;
    StopRequest stopped = StopRequest::none;
  };

  bool several() const { return plan_.starts > 1 || job_.given().size() > 1; }

  /// Takes poses through the finest level; `traced` ones leave rows in the result.
  Refined refine(std::span<const Similarity3> poses, Registration* traced) {
    const soft::Params& params = several() ? plan_.refine : plan_.whole;
    Batch<soft::Soft> batch;
    batch.params = params;
    batch.max_iterations = most_passes(params);
    batch.control = job_.control();
    for (const Similarity3& pose : poses) {
      batch.states.push_back(soft_state(params, job_.prepared(), pose, plan_.finest()));
    }
    const Run& run = job_.run();
    if (traced != nullptr && (run.trace || run.on_iteration)) {
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
      traced->trace.clear();
      for (const soft::State& state : batch.trace) {
        if (ends_update(state)) traced->trace.push_back(iteration_of(state));
      }
    }
    return {std::move(batch.states), std::move(batch.sums), batch.stopped};
  }

  /// Whether a state comes out of a pose update, not from a sweep before one.
  static bool ends_update(const soft::State& state) { return state.pass == 0; }

  void answer(const SoftSearch& search, Registration& result) {
    std::vector<Similarity3> poses;
    for (const SoftCandidate& c : search.ranked) poses.push_back(c.pose);
    Refined leader;
    if (search.stopped == StopRequest::none) {
      leader = refine(std::span(poses).first(1), &result);
      poses[0] = leader.states[0].target_from_source;
      if (leader.stopped == StopRequest::none) refine_contenders(search, poses);
    }
    const StopRequest stopped = search.stopped != StopRequest::none ? search.stopped : leader.stopped;
    if (stopped != StopRequest::none && !stopped_by_observer_) {
      // Cut short, it may have been better before.
      poses.push_back(search.ranked[0].pose);
      poses.insert(poses.end(), job_.given().begin(), job_.given().end());
    }
    std::vector<Registration> answers(poses.size());
    evaluate_results(job_.prepared(), job_.run(), job_.backend(), job_.full_resolution(), poses, answers);
    std::size_t best = 0;
    for (std::size_t i = 1; i < answers.size(); ++i) best = answers[i].score > answers[best].score ? i : best;
    if (stopped_by_observer_) best = 0;  // it gets the pose it saw
    if (best != 0 && stopped == StopRequest::none) {
      if (answers[best].score > clearly * answers[0].score) {
        leader = refine({&search.ranked[best].pose, 1}, &result);
      } else {
        best = 0;
      }
    }
    const Status status = leader.states.empty() ? Status::running : leader.states[0].status;
    result.termination = termination_of(status, stopped);
    result.iterations = leader.states.empty() ? 0 : leader.states[0].iteration;
    result.target_from_source = job_.prepared().from_local(poses[best], job_.model());
    copy_evaluation(answers[best], result);
    set_others(poses, answers, best, result);
    finish(leader, poses[best], result);
  }

  void refine_contenders(const SoftSearch& search, std::vector<Similarity3>& poses) {
    std::vector<std::size_t> index;
    std::vector<Similarity3> starts;
    for (std::size_t i = 1; i < poses.size(); ++i) {
      if (search.ranked[i].score < contender * search.ranked[0].score) continue;
      index.push_back(i);
      starts.push_back(poses[i]);
    }
    if (index.empty()) return;
    const Refined refined = refine(starts, nullptr);
    for (std::size_t i = 0; i < index.size(); ++i) poses[index[i]] = refined.states[i].target_from_source;
  }

  void set_others(const std::vector<Similarity3>& poses, const std::vector<Registration>& answers, std::size_t best,
                  Registration& result) {
    std::vector<Similarity3> other_poses;
    std::vector<Registration> others;
    for (std::size_t i = 0; i < poses.size(); ++i) {
      if (i == best) continue;
      other_poses.push_back(poses[i]);
      others.push_back(answers[i]);
    }
    job_.set_alternatives(poses[best], other_poses, others, several(), result);
  }

  void finish(const Refined& leader, const Similarity3& pose, Registration& result) {
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
    set_weak_directions(shape, plan_.whole.model.free, job_.prepared(), result);
    if (!lost && result.termination != Termination::degenerate) {
      const bool points = job_.estimates_scale() && !leader.sums.empty();
      set_covariance(
          points ? point_to_point_equations(leader.sums[0].moments, pose, state.center) : with_scale_row(shape),
          plan_.whole.model.free, points ? 3 : 1, job_.estimates_scale(), state.center, job_.prepared(), result);
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
  const MethodOptions& options_;
  const SoftPlan& plan_;
  RegistrationJob& job_;
};

template <class Options>
Registration register_soft(const char* method, const PointCloud& source, const PointCloud& target,
                           const Options& options, const Run& run) {
  validate(options);
  RegistrationJob job(source, target, run, options.estimate_scale);
  const SoftPlan plan = make_soft_plan(options, job.prepared());
  const MethodOptions kept = options;
  return SoftRegistration(method, kept, plan, job).run();
}

}  // namespace

template <class Options>
requires std::same_as<Options, EmIcp> || std::same_as<Options, Softassign> || std::same_as<Options, MethodOptions>
Registration register_points(const PointCloud& source, const PointCloud& target, const Options& options,
                             const Run& run) {
  if constexpr (std::same_as<Options, EmIcp>) return register_soft("em_icp", source, target, options, run);
  if constexpr (std::same_as<Options, Softassign>) return register_soft("softassign", source, target, options, run);
  if constexpr (std::same_as<Options, MethodOptions>) {
    return std::visit([&](const auto& method) { return register_points(source, target, method, run); }, options);
  }
}
template Registration register_points(const PointCloud&, const PointCloud&, const EmIcp&, const Run&);
template Registration register_points(const PointCloud&, const PointCloud&, const Softassign&, const Run&);
template Registration register_points(const PointCloud&, const PointCloud&, const MethodOptions&, const Run&);

}  // namespace dovetail
