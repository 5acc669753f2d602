// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "api/build_problem.h"
#include "api/diagnose.h"
#include "api/icp_plan.h"
#include "api/icp_search.h"
#include "api/machines.h"
#include "dovetail/error.h"
#include "dovetail/options.h"
#include "dovetail/registration.h"

namespace dovetail {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Answers with at least this share of the winner's score are refined to the end; the others are only reported.
constexpr double contender = 0.8;
/// Below this share of the largest curvature a direction is not held by point-to-plane at all.
constexpr double free_share = 1e-3;

void check_arguments(const Icp& options, const Run& run, int dimension) {
  validate(options);
  validate(run);
  if (options.estimate_scale && options.metric != Metric::point_to_point) {
    throw InvalidArgument("option estimate_scale: only point_to_point can estimate a scale; set metric to it");
  }
  const auto check_pose = [&](const Transform& pose) {
    const bool rigid = pose.model == Model::rigid2 || pose.model == Model::rigid3;
    const bool similar = pose.model == Model::similarity2 || pose.model == Model::similarity3;
    if (dovetail::dimension(pose.model) != dimension) {
      throw InvalidArgument(
          fmt::format("start: a {} pose for {}-dimensional clouds", to_string(pose.model), dimension));
    }
    if (!rigid && !(similar && options.estimate_scale)) {
      throw InvalidArgument(fmt::format("start: the pose is {}; allowed: rigid, or similarity with estimate_scale",
                                        to_string(pose.model)));
    }
  };
  if (run.start) check_pose(*run.start);
  for (const Transform& pose : run.starts) check_pose(pose);
}

Clock::time_point checked_start(const PointCloud& source, const Icp& options, const Run& run) {
  check_arguments(options, run, source.dimension);
  return Clock::now();
}

/// The starting poses a run asks for, local.
std::vector<Similarity3> given_starts(const Run& run, const Prepared& p) {
  const Model rigid = p.dimension == 2 ? Model::rigid2 : Model::rigid3;
  std::vector<Similarity3> starts;
  if (run.start || run.starts.empty() || run.start_at_centroid) {
    Similarity3 first = p.to_local(run.start.value_or(Transform::identity(rigid)));
    if (run.start_at_centroid) first.translation += p.target_centroid - first * p.source_centroid;
    starts.push_back(first);
  }
  for (const Transform& pose : run.starts) starts.push_back(p.to_local(pose));
  return starts;
}

/// A whole registration, step by step.
class IcpRegistration {
 public:
  IcpRegistration(const PointCloud& source, const PointCloud& target, const Icp& options, const Run& run)
      : options_(options), run_(run), began_(checked_start(source, options, run)), backend_(run) {
    backend_->on_host([&] { prepared_ = prepare_clouds(source, target, run); });
    if (run.time_limit_ms > 0) {
      control_.deadline = began_ + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double, std::milli>(run.time_limit_ms));
    }
    control_.cancel = run.cancel;
    model_ = source.dimension == 2 ? (options.estimate_scale ? Model::similarity2 : Model::rigid2)
                                   : (options.estimate_scale ? Model::similarity3 : Model::rigid3);
  }

  Registration run() {
    Registration result;
    result.method = "icp";
    result.options = options_;
    result.run = run_;
    describe_input(prepared_, *backend_, result);
    const std::vector<Similarity3> given = given_starts(run_, prepared_);
    result.target_from_source = prepared_.from_local(given.front(), model_);
    if (const std::string reason = why_degenerate(); !reason.empty()) {
      result.termination = Termination::degenerate;
      result.message = reason;
      conclude(run_, result);
      result.time_ms.prepare = result.time_ms.total = milliseconds_since(began_);
      return result;
    }
    plan_ = make_icp_plan(options_, prepared_);
    backend_->on_host([&] {
      problems_.push_back(build_problem(prepared_, plan_.voxels, plan_.normals, *backend_));
      if (plan_.voxels.back() > 0) {  // quality is told at full resolution whatever the levels are
        const double full[] = {0.0};
        problems_.push_back(build_problem(prepared_, full, plan_.normals, *backend_));
      }
    });
    backend_->place(problems_);
    result.time_ms.prepare = milliseconds_since(began_);

    const Clock::time_point loop_began = Clock::now();
    const int automatic = plan_.params.levels > 1 ? automatic_starts : 1;
    IcpSearch search = search_starts(context(), given, options_.starts > 0 ? options_.starts : automatic);
    refine(search, result);
    result.time_ms.loop = milliseconds_since(loop_began);
    result.time_ms.total = milliseconds_since(began_);
    return result;
  }

 private:
  std::string why_degenerate() const {
    for (const auto& [cloud, name] : {std::pair{&prepared_.source, "source"}, {&prepared_.target, "target"}}) {
      const std::size_t least = prepared_.dimension == 2 ? 2 : 3;
      const std::size_t usable = cloud == &prepared_.source ? prepared_.source_points : prepared_.target_points;
      if (usable < least) return fmt::format("the {} has {} usable points; {} are needed", name, usable, least);
      const int rank = rank_of(*cloud);
      if (rank == 0) return fmt::format("all points of the {} coincide", name);
      if (rank == 1 && prepared_.dimension == 3) return fmt::format("the points of the {} lie on one line", name);
    }
    return {};
  }

  IcpContext context() { return {prepared_, plan_, *backend_, control_}; }

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
    result.iterations = end.iteration;
    result.termination = termination_of(end, leader.stopped);

    std::vector<Similarity3> poses{end.target_from_source};
    if (leader.stopped == StopRequest::none) {
      refine_others(ranked);
    } else if (!stopped_by_observer_) {
      poses.insert(poses.end(), {winner.pose, winner.given});  // cut short, it may have been better before
    }
    const std::size_t own = poses.size();
    for (std::size_t i = 1; i < ranked.size(); ++i) poses.push_back(ranked[i].pose);
    std::vector<Registration> answers(poses.size());
    evaluate_results(prepared_, run_, *backend_, full_resolution(), poses, answers);
    std::size_t best = 0;
    for (std::size_t i = 1; i < own; ++i) best = answers[i].score > answers[best].score ? i : best;
    end.target_from_source = poses[best];
    result.target_from_source = prepared_.from_local(poses[best], model_);
    copy_evaluation(answers[best], result);
    set_alternatives(poses, answers, own, poses[best], result);
    judge(leader, end, result);
  }

  Place full_resolution() const {
    if (problems_.size() > 1) return {1, 0};
    return {0, static_cast<std::uint32_t>(plan_.last_level())};
  }

  void run_leader(IcpJourney& leader, Registration& result) {
    leader.traced = run_.trace || run_.on_iteration ? 0 : -1;
    if (run_.on_iteration) {
      leader.observer = [&](const icp::State& state) {
        stopped_by_observer_ = !run_.on_iteration(iteration_of(state));
        return !stopped_by_observer_;
      };
    }
    run_levels(leader, plan_, plan_.params.levels, *backend_, control_);
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
    run_levels(others, plan_, plan_.params.levels, *backend_, control_);
    for (std::size_t i = 0; i < index.size(); ++i) ranked[index[i]].pose = others.states[i].target_from_source;
  }

  /// The other answers, best first, each different from the result and from those before it.
  void set_alternatives(const std::vector<Similarity3>& poses, std::vector<Registration>& answers, std::size_t first,
                        const Similarity3& answer, Registration& result) {
    std::vector<std::size_t> order;
    for (std::size_t i = first; i < poses.size(); ++i) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return answers[a].score > answers[b].score; });
    std::vector<Similarity3> kept{answer};
    for (const std::size_t i : order) {
      const bool is_new = std::none_of(kept.begin(), kept.end(), [&](const Similarity3& pose) {
        return difference(pose, poses[i], prepared_) < same_answer;
      });
      if (!is_new) continue;
      kept.push_back(poses[i]);
      Registration& other = result.alternatives.emplace_back(std::move(answers[i]));
      other.method = result.method;
      other.machine = result.machine;
      other.target_from_source = prepared_.from_local(poses[i], model_);
      other.termination = Termination::schedule_finished;
      conclude(run_, other);
    }
    const bool several = options_.starts != 1 || run_.starts.size() + (run_.start ? 1 : 0) > 1;
    if (!several || plan_.params.levels == 0) return;
    const double other = result.alternatives.empty() ? 0 : result.alternatives.front().score;
    result.margin = result.score > 0 ? std::clamp((result.score - other) / result.score, 0.0, 1.0) : 0.0;
  }

  void judge(const IcpJourney& leader, const icp::State& end, Registration& result) {
    const bool lost = result.termination == Termination::no_correspondences;
    const NormalEquations<6> shape = plane_equations(plan_, end, *backend_);
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
      // it, and a small residual says nothing. Only a scale needs the points' own equations.
      const bool points = options_.estimate_scale && !leader.equations.empty();
      set_covariance(points ? leader.equations.front() : with_scale_row(shape), plan_.params.free, points ? 3 : 1,
                     options_.estimate_scale, end.center, prepared_, result);
    }
    conclude(run_, result);
  }

  Iteration iteration_of(const icp::State& state) const {
    Iteration row;
    row.iteration = state.iteration - 1;
    row.level = static_cast<int>(state.pass_level);
    row.rmse = prepared_.from_local(state.rmse);
    row.used_ratio = state.used_ratio;
    row.max_distance = prepared_.from_local(state.pass_distance);
    row.target_from_source = prepared_.from_local(state.target_from_source, model_);
    return row;
  }

  Termination termination_of(const icp::State& state, StopRequest stopped) const {
    if (stopped == StopRequest::time_limit) return Termination::time_limit;
    if (stopped == StopRequest::cancelled) return Termination::stopped_by_callback;
    switch (state.status) {
      case icp::Status::converged:
        return Termination::converged;
      case icp::Status::no_correspondences:
        return Termination::no_correspondences;
      case icp::Status::degenerate:
        return Termination::degenerate;
      default:
        return Termination::max_iterations;
    }
  }

  const Icp& options_;
  const Run& run_;
  Clock::time_point began_;
  BackendOfRun backend_;
  Prepared prepared_;
  Control control_;
  Model model_ = Model::rigid3;
  bool stopped_by_observer_ = false;  ///< it gets the pose it saw
  IcpPlan plan_;
  std::vector<Problem> problems_;  ///< the levels, and where they leave it out, the full resolution
};

}  // namespace

Registration register_points(const PointCloud& source, const PointCloud& target, const Icp& options, const Run& run) {
  return IcpRegistration(source, target, options, run).run();
}

}  // namespace dovetail
