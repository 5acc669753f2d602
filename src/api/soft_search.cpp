// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "api/soft_search.h"

#include <algorithm>

namespace dovetail {

namespace {

/// Of those that begin, so many go on from the first stage.
constexpr std::size_t first_cut = 4;

struct Candidate {
  Similarity3 pose;
  double objective = 0;  ///< at the σ all of them have come to
};

StopRequest run_stage(std::vector<Candidate>& candidates, const SoftStage& stage, const RegistrationJob& job) {
  Batch<soft::Soft> batch;
  batch.params = stage.params;
  batch.level_end = stage.params.levels;
  batch.max_iterations = most_passes(stage.params);
  batch.control = job.control();
  for (const Candidate& c : candidates) batch.states.push_back(soft_state(stage.params, job.prepared(), c.pose));
  job.backend().run(batch);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i] = {batch.states[i].target_from_source, batch.states[i].objective};
  }
  return batch.stopped;
}

/// The best that differ from each other.
std::vector<Candidate> best_different(std::vector<Candidate> candidates, const SoftStage& stage,
                                      const Prepared& prepared) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.objective < b.objective; });
  const std::size_t most = stage.keep > 0 ? stage.keep : (candidates.size() + first_cut - 1) / first_cut;
  std::vector<Candidate> kept;
  for (const Candidate& c : candidates) {
    if (kept.size() == most) break;
    const bool is_new = std::none_of(kept.begin(), kept.end(), [&](const Candidate& k) {
      const double shift = norm(k.pose * prepared.source_centroid - c.pose * prepared.source_centroid);
      return rotation_angle(k.pose.rotation * transpose(c.pose.rotation)) < stage.same_turn &&
             shift < stage.same_shift * prepared.source_radius;
    });
    if (is_new) kept.push_back(c);
  }
  return kept;
}

}  // namespace

soft::State soft_state(const soft::Params& params, const Prepared& prepared, const Similarity3& pose) {
  soft::State state;
  state.level = static_cast<std::uint32_t>(params.levels - 1);
  state.target_from_source = pose;
  state.center = pose * prepared.source_centroid;
  state.radius = prepared.source_radius;
  return soft::first_state(params, state);
}

SoftSearch search_soft_starts(const SoftPlan& plan, const RegistrationJob& job) {
  std::vector<Candidate> candidates;
  for (const Similarity3& given : job.given()) {
    for (const Similarity3& pose : spread_over_rotations(given, job.prepared(), plan.finish.model.free, plan.starts)) {
      candidates.push_back({pose, 0});
    }
  }
  SoftSearch search;
  if (candidates.size() > 1) {
    for (const SoftStage& stage : plan.search) {
      search.stopped = run_stage(candidates, stage, job);
      candidates = best_different(std::move(candidates), stage, job.prepared());
      if (search.stopped != StopRequest::none) break;
    }
  }
  if (search.stopped != StopRequest::none) candidates.resize(1);  // it is no answer: the others are none either
  for (const Candidate& c : candidates) search.ranked.push_back(c.pose);
  return search;
}

}  // namespace dovetail
