// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "core/histogram.h"
#include "core/symmetric.h"
#include "methods/chamfer.h"
#include "methods/chamfer_look.h"
#include "methods/method.h"

// What a transform is worth: two methods of one pass each.

namespace dovetail::chamfer {

/// How well a transform fits: distances as the field tells them.
template <int Dimension>
struct Fit : OnePass {
  using Data = chamfer::Data;
  static constexpr int D = Dimension;
  static constexpr bool projective = D == 2;
  using Homogeneous = Matrix<double, D + 1, D + 1>;

  struct Params {
    double inlier_distance = 0;   ///< local, as all lengths here
    double overlap_distance = 0;  ///< three cells
    double score_distance = 0;    ///< beyond it a point adds nothing to the score
  };

  struct State {
    std::uint32_t data = 0;
    bool done = false;
    Homogeneous target_from_source = Homogeneous::identity();
    double points = 0, rmse = 0, inlier_ratio = 0, overlap = 0, score = 0;
    double median = 0;  ///< of the distances; infinite where more than half of the points see no reference point
  };

  struct Sums {
    double points, inliers, inlier_squared, overlapping, agreement;
  };

  static std::uint32_t bins(const Params&) { return residual_histogram::bins; }
  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.points.count; }

  /// What one point adds: add(number of the sum, value), and its bin.
  template <class Add>
  DOVETAIL_HD static int add_point(const Params& p, const Look<float, D>& look, const Add& add) {
    add(0, 1.0);
    if (!(look.found > 0)) return residual_histogram::bins - 1;
    const float squared = Residual<float, D>(look).squared;
    const double d = squared;
    if (d <= p.inlier_distance * p.inlier_distance) {
      add(1, 1.0);
      add(2, d);
    }
    if (d <= p.overlap_distance * p.overlap_distance) add(3, 1.0);
    const double part = 1 - d / (p.score_distance * p.score_distance);
    if (part > 0) add(4, part);
    return residual_histogram::bin(squared);
  }

  DOVETAIL_HD static void advance(const Params&, State& s, const Sums* all, const std::uint32_t* histogram) {
    const Sums& sums = *all;
    s.done = true;
    s.points = sums.points;
    if (!(sums.points > 0)) return;
    s.inlier_ratio = sums.inliers / sums.points;
    s.overlap = sums.overlapping / sums.points;
    s.score = sums.agreement / sums.points;
    s.rmse = sums.inliers > 0 ? std::sqrt(sums.inlier_squared / sums.inliers) : 0;
    s.median = std::sqrt(static_cast<double>(residual_histogram::quantile(histogram, 0.5)));
  }
};

template <int L>
struct ScatterSums {
  double kernel, slope;          ///< Σ k, and Σ of the pull's slope: what k is off by as a second derivative
  Symmetric<double, L> scatter;  ///< Σ (Jᵀ k r)(Jᵀ k r)ᵀ, in the step frame
};

/// How much the pulls on a transform scatter from point to point: what its uncertainty comes from.
template <class TypedModel>
struct Scatter : OnePass {
  using Typed = TypedModel;
  static constexpr int D = Typed::dimension;
  static constexpr bool projective = Typed::model == Model::projective2;
  using Data = chamfer::Data;
  using Sums = ScatterSums<Typed::degrees_of_freedom>;
  struct Params {
    double cap = 1;
  };
  struct State {
    std::uint32_t data = 0;
    bool done = false;
    typename Typed::Homogeneous target_from_source = Typed::Homogeneous::identity();
    StepFrame<D> frame;
  };

  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.points.count; }
  DOVETAIL_HD static LookSettings settings(const Params& params, const State& s) {
    LookSettings l;
    l.set(params.cap, s.frame);
    return l;
  }
  DOVETAIL_HD static void advance(const Params&, State& s, const Sums*, const std::uint32_t*) { s.done = true; }
};

}  // namespace dovetail::chamfer
