// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "backend/backend.h"

namespace dovetail {

/// How well each of some poses fits, as Quality::score says, out to a distance.
inline std::vector<double> scores_of(std::span<const Similarity3> poses, const SurfacePair& pair, double distance,
                                     Backend& backend) {
  Batch<Evaluation> batch;
  batch.params.score_distance = distance;
  batch.data = {pair};
  for (const Similarity3& pose : poses) batch.states.emplace_back().target_from_source = pose;
  backend.run(batch);
  std::vector<double> scores;
  for (const Evaluation::State& state : batch.states) scores.push_back(state.score);
  return scores;
}

}  // namespace dovetail
