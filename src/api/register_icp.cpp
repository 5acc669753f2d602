// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/register_icp.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/diagnose.h"
#include "api/icp_plan.h"
#include "api/icp_search.h"
#include "dovetail/error.h"
#include "dovetail/options.h"

namespace dovetail {

namespace {

/// Answers with at least this share of the winner's score are refined to the end; the others are only reported.
constexpr double contender = 0.8;
/// Below this share of the largest curvature a direction is not held by point-to-plane at all.
constexpr double free_share = 1e-3;

/// A whole registration, step by step.
class IcpRegistration {
 public:
  IcpRegistration(const Icp& options, RegistrationJob& job)
      : options_(options), job_(job), run_(job.run()), prepared_(job.prepared()) {}

  Registration run() {
    Registration result = job_.begin("icp");
    result.options = options_;
    if (job_.hopeless()) return result;
    prepare();
    result.time_ms.prepare = job_.milliseconds();
    const std::vector<Similarity3>& given = job_.given();
    const int automatic = plan_.params.levels > 1 ? automatic_starts : 1;
    IcpSearch search = search_starts(context(), given, options_.starts > 0 ? options_.starts : automatic);
    refine(search, result);
    result.time_ms.total = job_.milliseconds();
    result.time_ms.loop = result.time_ms.total - result.time_ms.prepare;
    return result;
  }

  /// From a pose that is nearly right, at the fine levels alone.
  void polish(const Similarity3& pose, Registration& result) {
    prepare();
    first_iteration_ = result.iterations;
    result.finished_by = "icp";
    IcpSearch search;
    search.ranked.push_back({fine_start(pose, prepared_, plan_), pose, pose, 0});
    refine(search, result);
  }

 private:
  void prepare() {
    plan_ = make_icp_plan(options_, prepared_);
    job_.place(job_.build(plan_.voxels, plan_.normals));
  }

  IcpContext context() { return {prepared_, plan_, job_.backend(), job_.control()}; }

  /// Takes the winner through all levels, and with it the others that could still win; ranks and judges them.
  void refine(IcpSearch& search, Registration& result) {
    std::vector<IcpCandidate>& ranked = search.ranked;
    const IcpCandidate winner = ranked.front();
    IcpJourney leader;
    leader.states = {winner.state(context())};
    leader.stopped = search.stopped;
    if (search.stopped == StopRequest::none) run_leader(leader, result);
    icp::State end = leader.states.front();
    if (search.stopped != StopRequest::none) end.target_from_source = winner.pose;
    result.iterations = first_iteration_ + end.iteration;
    result.termination = termination_of(end.status, leader.stopped);

    // What a stopped search leaves is no answer, and not judged like one.
    if (search.stopped != StopRequest::none) ranked.resize(1);
    std::vector<Similarity3> poses{end.target_from_source};
    if (search.stopped != StopRequest::none) {
      poses.push_back(winner.given);
    } else if (leader.stopped == StopRequest::none) {
      refine_others(ranked);
    } else if (!stopped_by_observer_) {
      poses.insert(poses.end(), {winner.pose, winner.given});  // cut short, it may have been better before
    }
    const std::size_t own = poses.size();
    for (std::size_t i = 1; i < ranked.size(); ++i) poses.push_back(ranked[i].pose);
    std::vector<Registration> answers(poses.size());
    evaluate_results(prepared_, run_, job_.backend(), job_.full_resolution(), poses, answers);
    std::size_t best = 0;
    for (std::size_t i = 1; i < own; ++i) best = answers[i].score > answers[best].score ? i : best;
    end.target_from_source = poses[best];
    result.target_from_source = prepared_.from_local(poses[best], job_.model());
    copy_evaluation(answers[best], result);
    const bool several = options_.starts != 1 || run_.starts.size() + (run_.start ? 1 : 0) > 1;
    job_.set_alternatives(poses[best], std::span(poses).subspan(own), std::span(answers).subspan(own), several, result);
    search.stopped == StopRequest::none ? judge(end, result) : conclude(run_, result);
  }

  void run_leader(IcpJourney& leader, Registration& result) {
    leader.traced = run_.trace || run_.on_iteration ? 0 : -1;
    if (run_.on_iteration) {
      leader.observer = [&](const icp::State& state) {
        stopped_by_observer_ = !run_.on_iteration(iteration_of(state));
        return !stopped_by_observer_;
      };
    }
    run_levels(leader, plan_, plan_.params.levels, job_.backend(), job_.control());
    if (!run_.trace) return;
    for (const icp::State& state : leader.trace) result.trace.push_back(iteration_of(state));
  }

  void refine_others(std::vector<IcpCandidate>& ranked) {
    IcpJourney others;
    std::vector<std::size_t> index;
    for (std::size_t i = 1; i < ranked.size(); ++i) {
      if (ranked[i].score < contender * ranked.front().score) continue;
      others.states.push_back(ranked[i].state(context()));
      index.push_back(i);
    }
    if (index.empty()) return;
    run_levels(others, plan_, plan_.params.levels, job_.backend(), job_.control());
    for (std::size_t i = 0; i < index.size(); ++i) ranked[index[i]].pose = others.states[i].target_from_source;
  }

  void judge(const icp::State& end, Registration& result) {
    const bool lost = result.termination == Termination::no_correspondences;
    const NormalEquations<6> shape = plane_equations(plan_, end, job_.backend());
    const double freest = set_weak_directions(shape, plan_.params.free, prepared_, result);
    if (!lost && options_.metric == Metric::point_to_plane && freest < free_share) {
      result.termination = Termination::degenerate;
      result.message = fmt::format(
          "the surface leaves {} direction{} of motion free, and point_to_plane does not hold them; use plane_to_plane "
          "or point_to_point",
          result.weak_directions.size(), result.weak_directions.size() == 1 ? "" : "s");
    }
    if (!lost && result.termination != Termination::degenerate) {
      // Whatever the metric, what tells is the distance along the normal: along the surface a point's neighbour follows
      // it, and a small residual says nothing.
      set_covariance(options_.estimate_scale ? job_.shape_with_scale(end.target_from_source, end.center, result)
                                             : with_scale_row(shape),
                     plan_.params.free, options_.estimate_scale, end.center, prepared_, result);
      job_.judge_errors(end.target_from_source, end.center, result);
    }
    conclude(run_, result);
  }

  Iteration iteration_of(const icp::State& state) const {
    Iteration row;
    row.iteration = first_iteration_ + state.iteration - 1;
    row.level = static_cast<int>(state.pass_level);
    row.rmse = prepared_.from_local(state.rmse);
    row.used_ratio = state.used_ratio;
    row.max_distance = prepared_.from_local(state.pass_distance);
    row.target_from_source = prepared_.from_local(state.target_from_source, job_.model());
    return row;
  }

  const Icp& options_;
  RegistrationJob& job_;
  const Run& run_;
  const Prepared& prepared_;
  bool stopped_by_observer_ = false;  ///< it gets the pose it saw
  int first_iteration_ = 0;           ///< those of the method before
  IcpPlan plan_;
};

}  // namespace

Registration register_points(const PointCloud& source, const PointCloud& target, const Icp& options, const Run& run) {
  validate(options);
  if (options.estimate_scale && options.metric != Metric::point_to_point) {
    throw InvalidArgument("option estimate_scale: only point_to_point can estimate a scale; set metric to it");
  }
  RegistrationJob job(source, target, run, options.estimate_scale);
  return IcpRegistration(options, job).run();
}

void polish_by_icp(const Similarity3& pose, const Icp& options, RegistrationJob& job, Registration& result) {
  IcpRegistration(options, job).polish(pose, result);
}

}  // namespace dovetail
