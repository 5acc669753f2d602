// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "dovetail/rotation.h"
#include "search/gpicp_search.h"

namespace dovetail {

/// The best placement of each small range of poses: hundreds of placements are nearly the same pose, and without this
/// those of a few that fit anyhow would leave no room for others.
class PlacesTried {
 public:
  /// Poses within about `apart` (radians, radii) share a range; no more than twice `most` are kept.
  PlacesTried(const Prepared& prepared, double apart, std::size_t most)
      : prepared_(prepared), apart_(apart), most_(most) {}

  void add(const GpicpCandidate& c) { add(c, range_of(c.pose)); }
  /// The same where the range is known.
  void add(const GpicpCandidate& c, std::uint64_t range) {
    const auto [place, first] = best_.try_emplace(range, c);
    if (!first && before(c, place->second)) place->second = c;
  }

  /// The range of a pose, by a number.
  std::uint64_t range_of(const Similarity3& pose) const {
    const Vec3 turn = (1 / apart_) * log_so3(pose.rotation);
    const Vec3 shift = (1 / (apart_ * prepared_.source->radius)) * (pose * prepared_.source->centroid);
    std::uint64_t range = 0;
    const auto append = [&](double value, int bits) {
      range = range << bits | (static_cast<std::uint64_t>(std::llround(value)) & ((1u << bits) - 1));
    };
    for (int a = 0; a < 3; ++a) append(turn[a], 8);
    for (int a = 0; a < 3; ++a) append(shift[a], 13);
    return range;
  }

  /// Drops the worst where there are too many; returns the worst score that is left then, else 0.
  double shrink() {
    if (best_.size() <= 2 * most_) return 0;
    std::vector<GpicpCandidate> all = best_first();
    all.resize(most_);
    best_.clear();
    for (const GpicpCandidate& c : all) best_.emplace(range_of(c.pose), c);
    return all.back().score;
  }

  std::vector<GpicpCandidate> best_first() const {
    std::vector<GpicpCandidate> all;
    for (const auto& [range, c] : best_) all.push_back(c);
    std::sort(all.begin(), all.end(), before);
    return all;
  }

 private:
  static bool before(const GpicpCandidate& a, const GpicpCandidate& b) {
    return a.score != b.score ? a.score > b.score : a.start < b.start;
  }

  const Prepared& prepared_;
  double apart_;
  std::size_t most_;
  std::unordered_map<std::uint64_t, GpicpCandidate> best_;
};

}  // namespace dovetail
