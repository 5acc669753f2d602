// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>

#include "dovetail/error.h"
#include "dovetail/options.h"
#include "judge/conclude.h"
#include "judge/covariance.h"
#include "judge/pair_errors.h"
#include "judge/quality.h"
#include "register/job.h"
#include "search/different.h"
#include "search/icp_levels.h"
#include "search/rivals.h"
#include "search/scores.h"
#include "search/soft_search.h"

namespace dovetail {

namespace {

/// Answers with at least this share of the winner's score, told out to so many radii, are refined beside it.
constexpr double contender = 0.8, score_radii = 0.1;
/// Answers whose rivals are looked for, at most: the best, and those that turn out better.
constexpr std::size_t most_asked = 3;

/// A registration by EM-ICP or Softassign: what it works with, and its steps.
struct SoftRun {
  RegistrationJob& job;
  SoftPlan plan;
  std::vector<soft::Data> levels;

  bool several() const { return plan.starts > 1 || job.given().size() > 1; }

  /// Of a state that comes out of a pose update, not from a sweep before one.
  std::optional<Iteration> iteration_of(const soft::State& state) const {
    if (state.pass != 0) return {};
    const Prepared& prepared = job.prepared();
    Iteration row;
    row.iteration = state.iteration - 1;
    row.level = static_cast<int>(state.pass_level);
    row.rmse = prepared.from_local(state.rmse);
    row.used_ratio = state.used_ratio;
    row.sigma = prepared.from_local(state.pass_sigma);
    row.objective = prepared.from_local(prepared.from_local(state.objective));
    row.target_from_source = prepared.from_local(state.target_from_source, job.model());
    return row;
  }

  Batch<soft::Soft> finest() const {
    Batch<soft::Soft> batch;
    batch.params = plan.finish;
    batch.data = levels;
    batch.max_iterations = most_passes(plan.finish);
    batch.control = job.control();
    return batch;
  }

  /// A pose on its way through the finest level.
  struct Refined {
    soft::State state;
    StopRequest stopped = StopRequest::none;
    bool by_watcher = false;
  };

  /// Takes a pose through the finest level, leaving rows in the result.
  Refined refine(const Similarity3& pose, Registration& result) const {
    Refined refined;
    Batch<soft::Soft> batch = finest();
    batch.states = {soft_state(plan.finish, job.prepared(), pose)};
    const auto row_of = [&](const soft::State& state) { return iteration_of(state); };
    refined.by_watcher = run_watched(job.run(), batch, row_of, result, [&] { job.backend().run(batch); });
    refined.state = batch.states[0];
    refined.stopped = batch.stopped;
    return refined;
  }

  /// Takes those of the others that could still win through the finest level too; tells where they come to.
  std::vector<Similarity3> refine_others(std::vector<Similarity3>& poses) const {
    if (poses.size() < 2) return {};
    const Level& coarse = job.levels()[std::min<std::size_t>(2, job.levels().size() - 1)];
    const std::vector<double> scores =
        scores_of(poses, coarse.surfaces(), score_radii * job.prepared().source->radius, job.backend());
    Batch<soft::Soft> batch = finest();
    std::vector<std::size_t> index;
    for (std::size_t i = 1; i < poses.size(); ++i) {
      if (scores[i] < contender * scores[0]) continue;
      index.push_back(i);
      batch.states.push_back(soft_state(plan.finish, job.prepared(), poses[i]));
    }
    if (index.empty()) return {};
    job.backend().run(batch);
    std::vector<Similarity3> arrived;
    for (std::size_t i = 0; i < index.size(); ++i) {
      arrived.push_back(poses[index[i]] = batch.states[i].target_from_source);
    }
    return arrived;
  }

  /// ICP as it continues an answer, or looks for others beside it.
  Icp as_icp() const {
    Icp icp;
    icp.starts = 1;
    icp.normal_neighbours = plan.normal_neighbours;
    icp.estimate_scale = job.estimates_scale();
    if (icp.estimate_scale) icp.metric = Metric::point_to_point;
    icp.free = plan.free;
    return icp;
  }

  std::vector<Quality> judged(std::span<const Similarity3> poses) const {
    return evaluate_poses(job.prepared(), job.run(), job.backend(), job.full_resolution(), poses,
                          plan.finish.model.free, job.start());
  }

  /// Answers, where each of them set out to the finest level, and what they are worth.
  struct Answers {
    std::vector<Similarity3> poses, from;
    std::vector<Quality> qualities;
    std::vector<Similarity3> arrived;  ///< those of the poses that went through it
  };

  /// Other poses that fit about as well as an answer and are none of those known.
  std::vector<Similarity3> rivals_of(const Similarity3& answer, std::span<const Similarity3> known) const {
    const std::span<const Level> coarser(job.levels().data(), job.levels().size() - 1);
    std::vector<Similarity3> rivals =
        rivals_beside(answer, as_icp(), job.prepared(), coarser, job.full_resolution(), job.backend(), job.control());
    std::erase_if(rivals, [&](const Similarity3& rival) {
      return std::any_of(known.begin(), known.end(), [&](const Similarity3& pose) {
        return difference(rival, pose, job.prepared()) < same_answer;
      });
    });
    return rivals;
  }

  void add(std::span<const Similarity3> starts, Answers& answers) const {
    Batch<soft::Soft> batch = finest();
    for (const Similarity3& pose : starts) batch.states.push_back(soft_state(plan.finish, job.prepared(), pose));
    job.backend().run(batch);
    std::vector<Similarity3> poses;
    for (const soft::State& state : batch.states) poses.push_back(state.target_from_source);
    const std::vector<Quality> qualities = judged(poses);
    answers.from.insert(answers.from.end(), starts.begin(), starts.end());
    for (std::vector<Similarity3>* known : {&answers.poses, &answers.arrived}) {
      known->insert(known->end(), poses.begin(), poses.end());
    }
    answers.qualities.insert(answers.qualities.end(), qualities.begin(), qualities.end());
  }

  /// Adds what fits as well as the best answer, and where that wins, what fits as well as it; tells the best.
  std::size_t add_rivals(Answers& answers) const {
    std::size_t best = job.best_of(answers.poses, answers.qualities);
    // Where no answer is likely, the search's winner still fits best.
    std::size_t next = answers.qualities[best].log_odds > 0 ? best : 0;
    std::vector<std::size_t> asked;
    while (asked.size() < most_asked && std::find(asked.begin(), asked.end(), next) == asked.end()) {
      asked.push_back(next);
      const std::vector<Similarity3> rivals = rivals_of(answers.poses[next], answers.arrived);
      if (!rivals.empty()) add(rivals, answers);
      next = best = job.best_of(answers.poses, answers.qualities);
    }
    return best;
  }

  /// The search's answers at the finest level; the rows are those of its winner.
  void answer(const SoftSearch& search, Registration& result) const {
    std::vector<Similarity3> poses = search.ranked;
    Refined leader;
    leader.stopped = search.stopped;
    const bool unfinished = search.stopped != StopRequest::none;
    if (!unfinished) {
      leader = refine(poses[0], result);
      poses[0] = leader.state.target_from_source;
    }
    const bool cut_short = leader.stopped != StopRequest::none;
    std::vector<Similarity3> arrived;
    if (!cut_short) arrived = refine_others(poses), arrived.push_back(poses[0]);
    result.time_ms.loop = job.milliseconds() - result.time_ms.prepare;
    std::size_t different = poses.size(), best = 0;
    if (cut_short && !leader.by_watcher) {
      // It may have been better before.
      poses.push_back(search.ranked[0]);
      poses.insert(poses.end(), job.given().begin(), job.given().end());
    }
    Answers answers{poses, search.ranked, judged(poses), arrived};
    if (cut_short) {
      for (std::size_t i = different; i < poses.size(); ++i) {
        best = answers.qualities[i].score > answers.qualities[best].score ? i : best;
      }
    } else {
      const Status status = leader.state.status;
      const bool lost = status == Status::no_correspondences || status == Status::degenerate;  // it has no rivals
      best = plan.starts > 1 && !lost ? add_rivals(answers) : job.best_of(answers.poses, answers.qualities);
      different = answers.poses.size();
      if (best > 0) {
        result.trace.clear();
        leader = refine(answers.from[best], result);  // for its rows; it has arrived
      }
    }
    result.termination = termination_of(leader.state.status, leader.stopped);
    result.iterations = leader.state.iteration;
    job.tell_answers(best, answers.poses, answers.qualities, different, several(), result);
    // What a stopped search leaves is no answer, and not judged like one.
    unfinished ? conclude(job.run(), result) : finish(answers.poses[best], result);
  }

  void finish(const Similarity3& pose, Registration& result) const {
    const bool lost =
        result.termination == Termination::no_correspondences || result.termination == Termination::degenerate;
    const bool stopped =
        result.termination == Termination::time_limit || result.termination == Termination::stopped_by_callback;
    if (plan.refinement == Refinement::icp && !lost && !stopped) return polish_by_icp(pose, as_icp(), job, result);
    conclude_unrefined(pose, plan.free, job, result);
  }
};

template <class Options>
Registration register_soft(const char* method, const PointsView& source, const PointsView& target,
                           const Options& options, const Run& run) {
  using Clusters = LevelNeeds::Clusters;
  validate(options);
  if (options.refine != Refinement::icp) {
    refuse_known_start(run, std::string(method) + " by itself", "set refine to icp");
  }
  RegistrationJob job(source, target, run, options.estimate_scale);
  Registration result = job.begin(method, options);
  if (job.hopeless()) return result;
  const bool one_sided = std::same_as<Options, EmIcp> && !options.estimate_scale;
  std::vector<double> voxels;
  job.backend().on_host([&] { voxels = soft_voxels(options, job.prepared()); });
  job.make_levels(voxels, {true, true, options.normal_neighbours, one_sided ? Clusters::target : Clusters::both});
  const SoftRun soft{job, make_soft_plan(options, job.prepared(), job.levels()), soft_data_of(job.levels())};
  result.time_ms.prepare = job.milliseconds();
  soft.answer(search_soft_starts({job.prepared(), soft.plan, soft.levels, job.backend(), job.control()}, job.given()),
              result);
  result.time_ms.total = job.milliseconds();
  return result;
}

}  // namespace

template <class Options>
requires std::same_as<Options, EmIcp> || std::same_as<Options, Softassign> || std::same_as<Options, MethodOptions>
    Registration register_points(const PointsView& source, const PointsView& target, const Options& options,
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
template Registration register_points(const PointsView&, const PointsView&, const EmIcp&, const Run&);
template Registration register_points(const PointsView&, const PointsView&, const Softassign&, const Run&);
template Registration register_points(const PointsView&, const PointsView&, const MethodOptions&, const Run&);

}  // namespace dovetail
