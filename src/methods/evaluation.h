// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "dovetail/host_device.h"
#include "dovetail/transform.h"
#include "methods/method.h"

namespace dovetail {

/// How well a pose fits: one pass, no motion. A method like any other, so every machine and every batch size serves it.
struct Evaluation {
  struct Params {
    double inlier_distance = 0;   ///< local units, as all lengths here
    double overlap_distance = 0;  ///< three target spacings
    double score_distance = 0;    ///< beyond it a point adds nothing to the score
  };

  struct State {
    std::uint32_t problem = 0, level = 0;
    bool done = false;
    Similarity3 target_from_source = Similarity3::identity();
    double rmse = 0, inlier_ratio = 0, overlap = 0, score = 0;
  };

  struct Sums {
    double points, inliers, inlier_squared, overlapping, agreement;
  };

  static constexpr int histogram_bins = 0;

  static bool keeps_arrays(const Params&) { return false; }
  DOVETAIL_HD static Side side(const State&) { return Side::source; }
  DOVETAIL_HD static bool finished(const State& state) { return state.done; }

  /// The farthest a pass has to look.
  DOVETAIL_HD static float search_squared(const Params& p) {
    const double farthest = fmax(p.score_distance, fmax(p.inlier_distance, p.overlap_distance));
    return static_cast<float>(farthest * farthest);
  }

  /// What one source point adds. `squared` is the squared distance to its nearest target point, where there is one
  /// within reach; `cosine` is that between their normals, 1 where there are none.
  DOVETAIL_HD static void add(const Params& p, bool found, float squared, float cosine, Sums& sums) {
    sums.points += 1;
    if (!found) return;
    const double d = squared;
    if (squared <= static_cast<float>(p.inlier_distance * p.inlier_distance)) {
      sums.inliers += 1;
      sums.inlier_squared += d;
    }
    if (squared <= static_cast<float>(p.overlap_distance * p.overlap_distance)) sums.overlapping += 1;
    const double part = 1 - d / (p.score_distance * p.score_distance);
    if (part > 0) sums.agreement += part * static_cast<double>(cosine) * static_cast<double>(cosine);
  }

  DOVETAIL_HD static State advance(const Params&, const State& state, const Sums& sums, const std::uint32_t*) {
    State next = state;
    next.done = true;
    if (sums.points > 0) {
      next.inlier_ratio = sums.inliers / sums.points;
      next.overlap = sums.overlapping / sums.points;
      next.score = sums.agreement / sums.points;
    }
    next.rmse = sums.inliers > 0 ? std::sqrt(sums.inlier_squared / sums.inliers) : 0;
    return next;
  }
};

}  // namespace dovetail
