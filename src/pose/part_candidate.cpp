// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/part_candidate.h"

#include <algorithm>

namespace dovetail::pose {

double confidence_of(double log_odds, const std::vector<PartRival>& rivals) {
  std::vector<RivalOdds> others;
  for (const PartRival& rival : rivals) others.push_back({rival.log_odds, rival.share, rival.worse});
  return part_confidence(log_odds, others);
}

namespace {

/// The first of each that are alike, in their order; at most so many.
void keep_first(std::vector<PartCandidate>& candidates, std::size_t most) {
  std::vector<PartCandidate> kept;
  for (PartCandidate& candidate : candidates) {
    if (kept.size() == most) break;
    if (std::none_of(kept.begin(), kept.end(), [&](const PartCandidate& k) { return alike(k, candidate); })) {
      kept.push_back(std::move(candidate));
    }
  }
  candidates = std::move(kept);
}

}  // namespace

void keep_different(std::vector<PartCandidate>& candidates, std::size_t most) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const PartCandidate& a, const PartCandidate& b) { return a.worth > b.worth; });
  keep_first(candidates, most);
}

void keep_likeliest(std::vector<PartCandidate>& candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const PartCandidate& a, const PartCandidate& b) { return a.log_odds > b.log_odds; });
  keep_first(candidates, candidates.size());
}

}  // namespace dovetail::pose
