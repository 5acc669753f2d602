// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <fmt/format.h>

#include <algorithm>

#include "dovetail/error.h"
#include "dovetail/options.h"
#include "judge/conclude.h"
#include "judge/covariance.h"
#include "judge/pair_errors.h"
#include "judge/quality.h"
#include "register/icp_start.h"
#include "register/job.h"
#include "search/different.h"
#include "search/icp_search.h"
#include "search/rivals.h"

namespace dovetail {

namespace {

/// Answers with at least this share of the winner's score are refined to the end; the others are only reported.
constexpr double contender = 0.8, own_contender = 0.6;  ///< the second: of the start's own
constexpr int contender_iterations = 15;                ///< at the finest level, after the kernel has narrowed
/// Answers whose rivals are looked for, at most: the best, and those that turn out better.
constexpr std::size_t most_asked = 3;
/// Below this share of the largest curvature a direction is not held by point-to-plane at all.
constexpr double free_share = 1e-3;

/// A registration by ICP: what it works with, and its steps.
struct IcpRun {
  const Icp& options;
  RegistrationJob& job;
  IcpPlan plan;
  std::vector<SurfacePair> levels;
  double loop_began = 0;    ///< in milliseconds of the job
  int first_iteration = 0;  ///< those of the method before, as the next
  std::size_t first_row = 0;

  IcpRun(const Icp& with, RegistrationJob& of) : options(with), job(of), plan(make_icp_plan(with, of.prepared())) {
    job.make_levels(plan.voxels, plan.needs);
    levels = surfaces_of(job.levels());
    loop_began = job.milliseconds();
  }

  IcpContext context() const { return {job.prepared(), plan, levels, job.backend(), job.control()}; }

  /// Takes candidates through all levels.
  IcpJourney journey_of(std::span<const IcpCandidate> candidates) const {
    IcpJourney journey;
    journey.data = levels;
    for (const IcpCandidate& c : candidates) journey.states.push_back(c.state(context()));
    return journey;
  }
  void run(IcpJourney& journey) const { run_levels(journey, plan, plan.params.levels, job.backend(), job.control()); }

  std::optional<Iteration> iteration_of(const icp::State& state) const {
    const Prepared& prepared = job.prepared();
    Iteration row;
    row.iteration = first_iteration + state.iteration - 1;
    row.level = static_cast<int>(state.pass_level);
    row.rmse = prepared.from_local(state.rmse);
    row.used_ratio = state.used_ratio;
    row.max_distance = prepared.from_local(state.pass_distance);
    row.target_from_source = prepared.from_local(state.target_from_source, job.model());
    return row;
  }

  /// Takes the winner of the search, or of the answers, through all levels. Its rows are those of the result.
  bool follow(const IcpCandidate& candidate, IcpJourney& journey, Registration& result) const {
    result.trace.resize(first_row);
    journey = journey_of({&candidate, 1});
    const auto row_of = [&](const icp::State& state) { return iteration_of(state); };
    const bool by_watcher = run_watched(job.run(), journey, row_of, result, [&] { run(journey); });
    if (!job.start().known || journey.stopped != StopRequest::none) return by_watcher;
    const SettledWithStart settled = with_start(journey.states.front());
    journey.states.front() = settled.state;
    journey.stopped = settled.stopped;
    if (job.run().trace) {
      for (const icp::State& state : settled.trace) result.trace.push_back(*iteration_of(state));
    }
    return by_watcher;
  }

  /// On from where pairs alone rest, where the start is known.
  SettledWithStart with_start(const icp::State& rest) const {
    return settle_with_start(rest, *job.start().known, context(), job.full_resolution());
  }

  /// Takes candidates through all levels, but not on and on: what is right comes to rest soon.
  void refine(std::vector<IcpCandidate>& candidates) const {
    if (candidates.empty()) return;
    IcpJourney journey = journey_of(candidates);
    IcpPlan shorter = plan;
    icp::LevelPlan& finest = shorter.params.level[plan.last_level()];
    finest.max_iterations = std::min(finest.max_iterations, finest.anneal + contender_iterations);
    run_levels(journey, shorter, plan.params.levels, job.backend(), job.control());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      icp::State& state = journey.states[i];
      if (job.start().known && journey.stopped == StopRequest::none) state = with_start(state).state;
      candidates[i].pose = state.target_from_source;
      candidates[i].arrived = true;
    }
  }

  /// The search's answers beside the first, each once; those that could still win are refined.
  std::vector<IcpCandidate> others_of(std::span<const IcpCandidate> ranked, const Similarity3& answer) const {
    std::vector<IcpCandidate> contenders, others;
    const double own = job.start().known ? 0 : own_contender;  // what the start knows may outweigh what the points tell
    for (const IcpCandidate& c : ranked.subspan(1)) {
      if (difference(c.pose, answer, job.prepared()) < same_answer) continue;
      const double least = (c.own ? own : contender) * ranked.front().score;
      (c.score < least ? others : contenders).push_back(c);
    }
    refine(contenders);
    others.insert(others.begin(), contenders.begin(), contenders.end());
    return others;
  }

  /// Poses and what they are worth.
  struct Answers {
    std::vector<Similarity3> poses;
    std::vector<Quality> qualities;
    std::vector<IcpCandidate> candidates;  ///< that came to each pose
  };

  void add(std::span<const IcpCandidate> candidates, Answers& answers) const {
    std::vector<Similarity3> poses;
    for (const IcpCandidate& c : candidates) poses.push_back(c.pose);
    const auto qualities = evaluate_poses(job.prepared(), job.run(), job.backend(), job.full_resolution(), poses,
                                          plan.params.free, job.start());
    answers.poses.insert(answers.poses.end(), poses.begin(), poses.end());
    answers.qualities.insert(answers.qualities.end(), qualities.begin(), qualities.end());
    answers.candidates.insert(answers.candidates.end(), candidates.begin(), candidates.end());
  }

  /// Adds what fits as well as the best answer, and where that wins, what fits as well as it.
  std::size_t add_rivals(Answers& answers) const {
    std::size_t best = job.best_of(answers.poses, answers.qualities);
    // Where no answer is likely, the search's winner still fits best.
    std::size_t next = answers.qualities[best].log_odds > 0 ? best : 0;
    std::vector<std::size_t> asked;
    while (asked.size() < most_asked && std::find(asked.begin(), asked.end(), next) == asked.end()) {
      asked.push_back(next);
      std::vector<IcpCandidate> rivals = rivals_of(context(), answers.poses[next]);
      std::erase_if(rivals, [&](const IcpCandidate& c) {
        return std::any_of(answers.candidates.begin(), answers.candidates.end(), [&](const IcpCandidate& known) {
          return known.arrived && difference(c.pose, known.pose, job.prepared()) < same_answer;
        });
      });
      refine(rivals);
      if (!rivals.empty()) add(rivals, answers);
      next = best = job.best_of(answers.poses, answers.qualities);
    }
    return best;
  }

  /// Takes the search's winner through all levels, and with it the others that could still win; ranks and judges them.
  void refine(const IcpSearch& search, Registration& result) const {
    const IcpCandidate& winner = search.ranked.front();
    const bool unfinished = search.stopped != StopRequest::none;
    bool by_watcher = false;  // who gets the pose it saw
    IcpJourney leader = journey_of({&winner, 1});
    leader.stopped = search.stopped;
    if (!unfinished) by_watcher = follow(winner, leader, result);
    const bool cut_short = leader.stopped != StopRequest::none;
    IcpCandidate first = winner;
    if (!unfinished) first.pose = leader.states.front().target_from_source, first.arrived = true;
    std::vector<IcpCandidate> reached{first};
    const auto add_unmoved = [&](const Similarity3& pose) { reached.emplace_back(winner).pose = pose; };
    if (unfinished) add_unmoved(winner.given);
    if (cut_short && !unfinished && !by_watcher) add_unmoved(winner.pose), add_unmoved(winner.given);
    if (!cut_short) {
      const std::vector<IcpCandidate> others = others_of(search.ranked, first.pose);
      reached.insert(reached.end(), others.begin(), others.end());
    }
    result.time_ms.loop += job.milliseconds() - loop_began;
    Answers answers;
    add(reached, answers);
    const auto& [poses, qualities, candidates] = answers;
    std::size_t best = 0;
    if (cut_short) {  // it may have been better before
      for (std::size_t i = 1; i < poses.size(); ++i) best = qualities[i].score > qualities[best].score ? i : best;
    } else {
      const Status status = leader.states.front().status;
      const bool lost = status == Status::no_correspondences || status == Status::degenerate;  // it has no rivals
      best = options.starts != 1 && !lost ? add_rivals(answers) : job.best_of(poses, qualities);
      if (best > 0) follow(candidates[best], leader, result);  // for its rows; it has arrived
    }
    icp::State end = leader.states.front();
    end.target_from_source = poses[best];
    result.iterations = first_iteration + end.iteration;
    result.termination = termination_of(end.status, leader.stopped);
    const bool several = options.starts != 1 || job.run().starts.size() + (job.run().start ? 1 : 0) > 1;
    job.tell_answers(best, poses, qualities, cut_short ? 0 : poses.size(), several, result);
    const int held_by_start = unfinished ? 0 : judge(end, !cut_short && job.start().known.has_value(), result);
    conclude(job.run(), result);
    if (result.usable() && held_by_start > 0) {
      result.message += fmt::format("; the start holds {} direction{} of motion that the data leaves weakly determined",
                                    held_by_start, held_by_start == 1 ? "" : "s");
    }
  }

  /// Returns how many weak directions a start holds that counts.
  int judge(const icp::State& end, bool start_counts, Registration& result) const {
    const bool lost = result.termination == Termination::no_correspondences;
    const NormalEquations<6> shape =
        plane_equations(plan, static_cast<int>(end.level), end, levels[end.level], job.backend());
    const double turn = 1 / job.prepared().source->radius;
    const double freest = set_weak_directions(shape.jtj, turn, plan.params.free, result);
    const PairAnswer answer{end.target_from_source, end.center, plan.params.free, options.estimate_scale};
    int held_by_start = 0;
    if (start_counts && !lost) {
      const std::optional<double> variance =
          pair_variance(shape, answer, job.prepared(), job.full_resolution(),
                        job.prepared().to_local(result.inlier_distance), job.backend());
      if (variance) {
        held_by_start = tell_errors_with_start(shape, *variance, measure_hold(shape, *variance, end, context()), answer,
                                               *job.start().known, job.prepared(), result);
      }
    }
    const bool left_free = freest < free_share && !result.weak_directions.empty();
    if (!lost && options.metric == Metric::point_to_plane && left_free) {
      result.termination = Termination::degenerate;
      result.message = fmt::format(
          "the surface leaves {} direction{} of motion free, and point_to_plane does not hold them; use plane_to_plane "
          "or point_to_point",
          result.weak_directions.size(), result.weak_directions.size() == 1 ? "" : "s");
    }
    const bool failed = lost || result.termination == Termination::degenerate;
    if (!failed && !start_counts) {
      tell_pair_errors(shape, answer, job.prepared(), job.full_resolution(), job.backend(), result);
    }
    return held_by_start;
  }
};

}  // namespace

Registration register_points(const PointsView& source, const PointsView& target, const Icp& options, const Run& run) {
  validate(options);
  if (options.estimate_scale && options.metric != Metric::point_to_point) {
    throw InvalidArgument("option estimate_scale: only point_to_point can estimate a scale; set metric to it");
  }
  RegistrationJob job(source, target, run, options.estimate_scale);
  Registration result = job.begin("icp", options);
  if (job.hopeless()) return result;
  IcpRun icp(options, job);
  result.time_ms.prepare = icp.loop_began;
  const int automatic = icp.plan.params.levels > 1 ? automatic_starts : 1;
  IcpSearch search = search_starts(icp.context(), job.given(), options.starts > 0 ? options.starts : automatic);
  icp.refine(search, result);
  result.time_ms.total = job.milliseconds();
  return result;
}

Registration settle_by_icp(const Similarity3& pose, RegistrationJob& job) {
  const Icp options{.free = {}};
  Registration result = job.begin("icp", options);
  if (job.hopeless()) return result;
  IcpRun icp(options, job);
  result.time_ms.prepare = icp.loop_began;
  IcpSearch search;
  search.ranked.push_back({fine_start(pose, job.prepared(), icp.plan), pose, pose, 0});
  icp.refine(search, result);
  return result;
}

void finish_by_icp(std::span<const ScoredPose> answers, StopRequest stopped, const Icp& options, RegistrationJob& job,
                   Registration& result) {
  const double began = job.milliseconds();
  IcpRun icp(options, job);
  result.time_ms.prepare += icp.loop_began - began;
  icp.first_iteration = result.iterations;
  icp.first_row = result.trace.size();
  result.finished_by = "icp";
  IcpSearch search;
  search.stopped = stopped;
  for (const ScoredPose& answer : answers) {
    search.ranked.push_back(
        {fine_start(answer.pose, job.prepared(), icp.plan), answer.pose, answer.pose, answer.score});
  }
  icp.refine(search, result);
}

void polish_by_icp(const Similarity3& pose, const Icp& options, RegistrationJob& job, Registration& result) {
  const ScoredPose answer{pose};
  finish_by_icp({&answer, 1}, StopRequest::none, options, job, result);
}

}  // namespace dovetail
