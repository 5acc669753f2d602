// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "prepare/clouds.h"

namespace dovetail {

/// Poses closer than this are one answer.
inline constexpr double same_answer = 0.1;

/// How different two poses are: the angle in radians or the shift of the centroid in radii, whichever is more.
inline double difference(const Similarity3& a, const Similarity3& b, const Prepared& prepared) {
  const double angle = rotation_angle(a.rotation * transpose(b.rotation));
  const double shift = norm(a * prepared.source->centroid - b * prepared.source->centroid);
  return std::max(angle, shift / prepared.source->radius);
}

/// Adds to `kept` those of some candidates, best first, that are not the same as one in it, up to `most` in all.
template <class Candidate, class Same>
void keep_different(std::span<const Candidate> candidates, std::size_t most, const Same& same,
                    std::vector<Candidate>& kept) {
  for (const Candidate& c : candidates) {
    if (kept.size() >= most) return;
    if (std::none_of(kept.begin(), kept.end(), [&](const Candidate& k) { return same(k, c); })) kept.push_back(c);
  }
}

/// The best of some candidates that are not the same as another, up to `most`.
template <class Candidate, class Better, class Same>
std::vector<Candidate> best_different(std::vector<Candidate> candidates, std::size_t most, const Better& better,
                                      const Same& same, std::vector<Candidate> kept = {}) {
  std::stable_sort(candidates.begin(), candidates.end(), better);
  keep_different(std::span<const Candidate>(candidates), most, same, kept);
  return kept;
}

}  // namespace dovetail
