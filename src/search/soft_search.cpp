// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/soft_search.h"

#include <algorithm>

#include "search/different.h"
#include "search/starts.h"

namespace dovetail {

namespace {

/// Of those that begin, so many go on from the first stage.
constexpr std::size_t first_cut = 4;

struct Candidate {
  Similarity3 pose;
  double objective = 0;  ///< at the σ all of them have come to
};

StopRequest run_stage(std::vector<Candidate>& candidates, const SoftStage& stage, const SoftContext& context) {
  Batch<soft::Soft> batch;
  batch.params = stage.params;
  batch.data.assign(context.levels.begin(), context.levels.begin() + stage.params.levels);
  batch.max_iterations = most_passes(stage.params);
  batch.control = context.control;
  for (const Candidate& c : candidates) batch.states.push_back(soft_state(stage.params, context.prepared, c.pose));
  context.backend.run(batch);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i] = {batch.states[i].target_from_source, batch.states[i].objective};
  }
  return batch.stopped;
}

/// The best that differ from each other.
std::vector<Candidate> survivors(std::vector<Candidate> candidates, const SoftStage& stage, const Prepared& prepared) {
  const std::size_t most = stage.keep > 0 ? stage.keep : (candidates.size() + first_cut - 1) / first_cut;
  const auto better = [](const Candidate& a, const Candidate& b) { return a.objective < b.objective; };
  const auto same = [&](const Candidate& k, const Candidate& c) {
    const double shift = norm(k.pose * prepared.source->centroid - c.pose * prepared.source->centroid);
    return rotation_angle(k.pose.rotation * transpose(c.pose.rotation)) < stage.same_turn &&
           shift < stage.same_shift * prepared.source->radius;
  };
  return best_different(std::move(candidates), most, better, same);
}

}  // namespace

soft::State soft_state(const soft::Params& params, const Prepared& prepared, const Similarity3& pose) {
  soft::State state;
  state.level = static_cast<std::uint32_t>(params.levels - 1);
  state.target_from_source = pose;
  state.center = pose * prepared.source->centroid;
  state.radius = prepared.source->radius;
  return soft::first_state(params, state);
}

SoftSearch search_soft_starts(const SoftContext& context, const std::vector<Similarity3>& given) {
  const SoftPlan& plan = context.plan;
  std::vector<Candidate> candidates;
  for (const Similarity3& start : given) {
    for (const Similarity3& pose :
         starts_over_rotations(start, context.prepared, plan.finish.model.free, plan.starts)) {
      candidates.push_back({pose, 0});
    }
  }
  SoftSearch search;
  if (candidates.size() > 1) {
    for (const SoftStage& stage : plan.search) {
      search.stopped = run_stage(candidates, stage, context);
      candidates = survivors(std::move(candidates), stage, context.prepared);
      if (search.stopped != StopRequest::none) break;
    }
  }
  if (search.stopped != StopRequest::none) candidates.resize(1);  // it is no answer: the others are none either
  for (const Candidate& c : candidates) search.ranked.push_back(c.pose);
  return search;
}

}  // namespace dovetail
