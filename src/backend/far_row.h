// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>

#include "methods/soft.h"
#include "spatial/kd_search.h"

// Rows so far from every target point that their weights underflow: where the outlier's distance is many σ, they still
// count, and what they pull towards is what is nearest.

namespace dovetail {

/// Whether a row's sum has vanished in float.
DOVETAIL_HD inline bool vanished(const soft::State& state, float sum) {
  return sum < 1e-30f && state.log_outlier < -60;
}

namespace detail {

/// Adds up weights relative to that of the nearest point, as far as they count.
class ShiftedSum {
 public:
  DOVETAIL_HD ShiftedSum(const KdTreeView& tree, const float* row, float nearest_squared, double sigma)
      : tree_(tree), row_(row), nearest_(nearest_squared), inverse_(1 / (sigma * sigma)) {
    worst_ = static_cast<float>(nearest_ + 30 * sigma * sigma);
  }
  DOVETAIL_HD float worst() const { return worst_; }
  DOVETAIL_HD bool offer(const Neighbour& candidate) {
    if (!(candidate.squared_distance <= worst_)) return false;
    const TreePoint p = tree_.points[candidate.slot];
    const double posterior = exp(-(candidate.squared_distance - nearest_) * inverse_);
    row_sum.squares += posterior;
    const double weight = square_roots ? sqrt(posterior) : posterior;
    row_sum.weight += weight;
    row_sum.toward[0] += weight * (p.x - row_[0]);
    row_sum.toward[1] += weight * (p.y - row_[1]);
    row_sum.toward[2] += weight * (p.z - row_[2]);
    return true;
  }

  soft::Row row_sum{};
  bool square_roots = false;

 private:
  const KdTreeView& tree_;
  const float* row_;
  double nearest_, inverse_;
  float worst_;
};

}  // namespace detail

/// The sums of a row by its nearest target points, times the exponential of what makes the nearest one's weight 1; of
/// no use beyond the outlier's distance, where nothing is left of them.
DOVETAIL_HD inline soft::Row far_row(const KdTreeView& target, const soft::Params& params, const soft::State& state,
                                     const float* moved) {
  const Neighbour match = nearest(target, moved[0], moved[1], moved[2], 3e38f);
  detail::ShiftedSum sum(target, moved, match.squared_distance, state.sigma);
  sum.square_roots = params.square_roots;
  search(target, moved[0], moved[1], moved[2], sum);
  sum.row_sum.shift = match.squared_distance / (state.sigma * state.sigma);
  return sum.row_sum;
}

}  // namespace dovetail
