// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstring>
#include <vector>

#include "methods/icp.h"

// Sums and histograms made up by hand: what advance sees, without points.

namespace dovetail::test {

/// A plan of one level that never anneals and never converges before its last iteration.
inline icp::Params one_level(int max_iterations = 100) {
  icp::Params params;
  params.levels = 1;
  params.level[0].first_scale = params.level[0].last_scale = 0.5;
  params.level[0].max_iterations = max_iterations;
  return params;
}

/// The state that follows.
template <class Sums>
icp::State advance_state(const icp::Params& params, icp::State state, const Sums& sums, const std::uint32_t* bins) {
  icp::advance(params, state, sums, bins);
  return state;
}

inline icp::State first(const icp::Params& params, double radius = 1.0) {
  icp::State state;
  state.radius = radius;
  return icp::first_state(params, state);
}

/// Squared distances, counted.
struct Histogram {
  std::vector<std::uint32_t> bins = std::vector<std::uint32_t>(residual_histogram::bins, 0u);

  Histogram& distances(double distance, std::uint32_t count) {
    bins[static_cast<std::size_t>(icp::distance_bin(static_cast<float>(distance * distance)))] += count;
    return *this;
  }
  Histogram& nothing_near(std::uint32_t count) {
    bins[icp::beyond_reach_bin] += count;
    return *this;
  }
  const std::uint32_t* data() const { return bins.data(); }
};

/// Normal equations whose solution is exactly the step (turn, shift).
inline icp::PlaneSums step_sums(const Vec3& turn, const Vec3& shift, double pairs = 100) {
  icp::PlaneSums sums{};
  for (int i = 0; i < 6; ++i) {
    sums.equations.jtj(i, i) = 2.0 + i;
    sums.equations.jtr[i] = -(2.0 + i) * (i < 3 ? turn[i] : shift[i - 3]);
  }
  sums.equations.weight = pairs;
  sums.tally = {0.04 * pairs, pairs, pairs};
  return sums;
}

/// Moments of the corners of a box that `target_from_source` moves exactly.
inline icp::PointSums moved_box(const Similarity3& target_from_source, bool flat = false) {
  icp::PointSums sums{};
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p{corner & 1 ? 0.5 : -0.4, corner & 2 ? 0.3 : -0.2, flat ? 0.0 : (corner & 4 ? 0.7 : -0.1)};
    sums.moments.add(1.0, p, target_from_source * p);
  }
  sums.tally = {0.5, 8, 8};
  return sums;
}

/// Eight pairs at distance 0.25.
inline Histogram eight_pairs() { return Histogram().distances(0.25, 8); }

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace dovetail::test
