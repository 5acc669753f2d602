// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "api/build_problem.h"
#include "api/diagnose.h"
#include "api/icp_plan.h"
#include "api/icp_runner.h"
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

/// Two answers are one when they put the source's points within a tenth of its radius of each other.
constexpr double same_answer = 0.1;
/// Coarse answers that go on to the next level, besides the given start's own.
constexpr std::size_t survivors = 3;
/// An answer this close to the best score, out of 1, may win by being nearer to the start.
constexpr double tie = 0.02;
/// Answers with at least this share of the best score are refined to the end; the others are only reported.
constexpr double contender = 0.8;

double distance_of(const Similarity3& a, const Similarity3& b, const Prepared& p) {
  const double angle = rotation_angle(a.rotation * transpose(b.rotation));
  const double shift = norm(a * p.source_centroid - b * p.source_centroid);
  return std::max(angle, shift / p.source_radius);
}

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

/// One start and what became of it on the way.
struct Candidate {
  IcpStart start;
  Vec3 center;        ///< where the given start puts the source's centroid
  Similarity3 given;  ///< the start it was spread from
  Similarity3 pose;   ///< reached so far
  double score = 0;
};

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
    plan_.normals.target = true;  // weak directions are told by the target's shape, whatever the metric
    backend_->on_host([&] { problem_ = build_problem(prepared_, plan_.voxels, plan_.normals, *backend_); });
    backend_->place({&problem_, 1});
    result.time_ms.prepare = milliseconds_since(began_);

    const Clock::time_point loop_began = Clock::now();
    std::vector<Candidate> ranked = search(given);
    refine(ranked, result);
    result.time_ms.loop = milliseconds_since(loop_began);
    result.time_ms.total = milliseconds_since(began_);
    return result;
  }

 private:
  std::string why_degenerate() const {
    for (const auto& [cloud, name] : {std::pair{&prepared_.source, "source"}, {&prepared_.target, "target"}}) {
      const std::size_t least = prepared_.dimension == 2 ? 2 : 3;
      if (cloud->size() < least) {
        return fmt::format("the {} has {} usable points; {} are needed", name, cloud->size(), least);
      }
      const int rank = rank_of(*cloud);
      if (rank == 0) return fmt::format("all points of the {} coincide", name);
      if (rank == 1 && prepared_.dimension == 3) return fmt::format("the points of the {} lie on one line", name);
    }
    return {};
  }

  icp::State state_of(const Candidate& c) const { return start_state(plan_, prepared_, c.start, c.center); }

  /// Tries starts around the given ones at the coarse levels and ranks what they reach; the first is the winner.
  std::vector<Candidate> search(const std::vector<Similarity3>& given) {
    const bool coarse_levels = plan_.params.levels > 1;
    const int count = options_.starts > 0 ? options_.starts : (coarse_levels ? automatic_starts : 1);
    std::vector<Candidate> candidates;
    for (const Similarity3& pose : given) {
      for (const IcpStart& start : spread_starts(pose, prepared_, count)) {
        candidates.push_back({start, pose * prepared_.source_centroid, pose, start.pose, 0});
      }
    }
    if (candidates.size() == 1) return candidates;
    const std::size_t own = 0;  // the first given start itself is never dropped
    run_to(candidates, 1, 0.2);
    candidates = best_distinct(candidates, own, survivors + given.size());
    if (plan_.params.levels > 2) run_to(candidates, plan_.last_level(), 0.1);

    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    const auto nearest_of_ties =
        std::min_element(candidates.begin(),
                         std::find_if(candidates.begin(), candidates.end(),
                                      [&](const auto& c) { return c.score < candidates.front().score - tie; }),
                         [&](const auto& a, const auto& b) {
                           return distance_of(a.pose, a.given, prepared_) < distance_of(b.pose, b.given, prepared_);
                         });
    std::rotate(candidates.begin(), nearest_of_ties, nearest_of_ties + 1);
    return candidates;
  }

  /// Runs every candidate from its start through levels 0 to end − 1 and scores what it reaches there.
  void run_to(std::vector<Candidate>& candidates, int end, double score_distance) {
    IcpJourney journey;
    for (const Candidate& c : candidates) journey.states.push_back(state_of(c));
    run_levels(journey, plan_, end, *backend_, control_);
    Batch<Evaluation> batch;
    batch.params.score_distance = score_distance * prepared_.source_radius;
    batch.max_iterations = 1;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      candidates[i].pose = journey.states[i].target_from_source;
      Evaluation::State state;
      state.level = static_cast<std::uint32_t>(end - 1);
      state.target_from_source = candidates[i].pose;
      batch.states.push_back(state);
    }
    backend_->run(batch);
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].score = batch.states[i].score;
  }

  /// Candidate `own`, then the best that differ from each other and from it.
  std::vector<Candidate> best_distinct(const std::vector<Candidate>& candidates, std::size_t own,
                                       std::size_t most) const {
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return candidates[a].score > candidates[b].score; });
    std::vector<Candidate> kept{candidates[own]};
    for (const std::size_t i : order) {
      if (kept.size() > most) break;
      const bool is_new = std::none_of(kept.begin(), kept.end(), [&](const Candidate& k) {
        return distance_of(k.pose, candidates[i].pose, prepared_) < same_answer;
      });
      if (is_new) kept.push_back(candidates[i]);
    }
    return kept;
  }

  /// Takes the winner through all levels, and with it the others that could still win.
  void refine(std::vector<Candidate>& ranked, Registration& result) {
    IcpJourney leader;
    leader.states = {state_of(ranked.front())};
    leader.traced = run_.trace || run_.on_iteration ? 0 : -1;
    if (run_.on_iteration) {
      leader.observer = [&](const icp::State& state) { return run_.on_iteration(iteration_of(state)); };
    }
    run_levels(leader, plan_, plan_.params.levels, *backend_, control_);
    const icp::State end = leader.states.front();
    ranked.front().pose = end.target_from_source;
    if (run_.trace) {
      for (const icp::State& state : leader.trace) result.trace.push_back(iteration_of(state));
    }
    result.iterations = end.iteration;
    result.termination = termination_of(end, leader.stopped);

    refine_others(ranked);
    std::vector<Similarity3> poses;
    std::vector<Registration*> results{&result};
    result.alternatives.resize(ranked.size() - 1);
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      poses.push_back(ranked[i].pose);
      Registration& r = i == 0 ? result : result.alternatives[i - 1];
      if (i > 0) results.push_back(&r);
      r.target_from_source = prepared_.from_local(ranked[i].pose, model_);
    }
    evaluate_results(prepared_, run_, *backend_, static_cast<std::uint32_t>(plan_.last_level()), poses, results);
    for (Registration& other : result.alternatives) {
      other.method = result.method;
      other.termination = Termination::schedule_finished;
      conclude(run_, other);
    }
    if (ranked.size() > 1) {
      const double best = std::max(result.score, 1e-300);
      double second = 0;
      for (const Registration& other : result.alternatives) second = std::max(second, other.score);
      result.margin = std::clamp((best - second) / best, 0.0, 1.0);
    } else if (options_.starts != 1 || !run_.starts.empty()) {
      result.margin = 1.0;  // every start led to this one answer
    }
    const double freest =
        set_weak_directions(plane_equations(plan_, end, *backend_), plan_.params.free, prepared_, result);
    const bool left_free = options_.metric == Metric::point_to_plane && freest < 1e-3;
    if (left_free && result.termination != Termination::no_correspondences) {
      result.termination = Termination::degenerate;
      result.message = fmt::format(
          "the surface leaves {} direction{} of motion free, and point_to_plane does not hold them; use plane_to_plane "
          "or "
          "point_to_point",
          result.weak_directions.size(), result.weak_directions.size() == 1 ? "" : "s");
    }
    if (result.termination != Termination::no_correspondences && result.termination != Termination::degenerate) {
      set_covariance(leader.equations.front(), plan_.params.free, leader.rows, options_.estimate_scale, end.center,
                     prepared_, result);
    }
    conclude(run_, result);
  }

  void refine_others(std::vector<Candidate>& ranked) {
    IcpJourney others;
    std::vector<std::size_t> index;
    for (std::size_t i = 1; i < ranked.size(); ++i) {
      if (ranked[i].score < contender * ranked.front().score) continue;
      others.states.push_back(state_of(ranked[i]));
      index.push_back(i);
    }
    if (index.empty()) return;
    run_levels(others, plan_, plan_.params.levels, *backend_, control_);
    for (std::size_t i = 0; i < index.size(); ++i) ranked[index[i]].pose = others.states[i].target_from_source;
    // What has come to the same answer in the end is no alternative.
    const auto same = [&](const Candidate& c) {
      return &c != ranked.data() && distance_of(c.pose, ranked.front().pose, prepared_) < same_answer;
    };
    ranked.erase(std::remove_if(ranked.begin() + 1, ranked.end(), same), ranked.end());
  }

  Iteration iteration_of(const icp::State& state) const {
    Iteration row;
    row.iteration = state.iteration - 1;
    row.level = static_cast<int>(state.level);
    row.rmse = prepared_.from_local(state.rmse);
    row.used_ratio = state.used_ratio;
    row.max_distance = prepared_.from_local(state.max_distance);
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
  IcpPlan plan_;
  Problem problem_;
};

}  // namespace

Registration register_points(const PointCloud& source, const PointCloud& target, const Icp& options, const Run& run) {
  return IcpRegistration(source, target, options, run).run();
}

}  // namespace dovetail
