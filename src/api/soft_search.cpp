// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/soft_search.h"

#include <algorithm>

#include "methods/evaluation.h"

namespace dovetail {

namespace {

/// How many starts go on from the search to the contest, and from there to the finest level.
constexpr std::size_t contestants = 12, finalists = 4;
/// Answers that differ by less than this go on as one: the contest would bring them together.
constexpr double same_basin = 0.2;

/// Runs every candidate through a schedule at level 0; scores what it reaches out to a distance in radii.
StopRequest run_candidates(std::vector<SoftCandidate>& candidates, const soft::Params& params,
                           const RegistrationJob& job, double score_distance) {
  Batch<soft::Soft> batch;
  batch.params = params;
  batch.level_end = 1;
  batch.max_iterations = most_passes(params);
  batch.control = job.control();
  for (const SoftCandidate& c : candidates) batch.states.push_back(soft_state(params, job.prepared(), c.pose, 0));
  job.backend().run(batch);
  Batch<Evaluation> scoring;
  scoring.params.score_distance = score_distance * job.prepared().source_radius;
  scoring.max_iterations = scoring.level_end = 1;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].pose = batch.states[i].target_from_source;
    Evaluation::State state;
    state.target_from_source = candidates[i].pose;
    scoring.states.push_back(state);
  }
  job.backend().run(scoring);
  for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].score = scoring.states[i].score;
  return batch.stopped;
}

/// The best that differ from each other.
std::vector<SoftCandidate> best_different(std::vector<SoftCandidate> candidates, const Prepared& prepared, double apart,
                                          std::size_t most) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const SoftCandidate& a, const SoftCandidate& b) { return a.score > b.score; });
  std::vector<SoftCandidate> kept;
  for (const SoftCandidate& c : candidates) {
    if (kept.size() == most) break;
    const bool is_new = std::none_of(
        kept.begin(), kept.end(), [&](const SoftCandidate& k) { return difference(k.pose, c.pose, prepared) < apart; });
    if (is_new) kept.push_back(c);
  }
  return kept;
}

}  // namespace

soft::State soft_state(const soft::Params& params, const Prepared& prepared, const Similarity3& pose,
                       std::uint32_t level) {
  soft::State state;
  state.level = level;
  state.target_from_source = pose;
  state.center = pose * prepared.source_centroid;
  state.radius = prepared.source_radius;
  return soft::first_state(params, state);
}

SoftSearch search_soft_starts(const SoftPlan& plan, const RegistrationJob& job) {
  SoftSearch search;
  for (const Similarity3& given : job.given()) {
    for (const Similarity3& pose : rotated_starts(given, job.prepared(), plan.search.model.free, plan.starts)) {
      search.ranked.push_back({pose, 0});
    }
  }
  if (search.ranked.size() == 1) return search;
  search.stopped = run_candidates(search.ranked, plan.search, job, 0.2);
  search.ranked = best_different(search.ranked, job.prepared(), same_basin, contestants);
  if (search.stopped != StopRequest::none) return search;
  search.stopped = run_candidates(search.ranked, plan.contest, job, 0.1);
  search.ranked = best_different(search.ranked, job.prepared(), same_answer, finalists);
  return search;
}

}  // namespace dovetail
