// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <optional>

#include "core/normal_equations.h"
#include "dovetail/registration.h"
#include "methods/observed_pose.h"
#include "prepare/levels.h"

namespace dovetail {

/// An answer of a method that matches points, local.
struct PairAnswer {
  Similarity3 pose;
  Vec3 center;           ///< where it puts the source's centroid: rotations turn about it
  unsigned free;         ///< motions that may change: three rotations, three shifts, the scale
  bool estimates_scale;  ///< whether that is among them
};

/// The variance of a pair, as the residuals of point-to-plane equations at an answer tell it, points that err together
/// counted; nothing where there are too few. No less than what surfaces of points in float resolve. Points within
/// `reach` are asked.
std::optional<double> pair_variance(const NormalEquations<6>& shape, const PairAnswer& answer, const Prepared& prepared,
                                    const Level& full, double reach, Backend& backend);

/// Covariance and expected error of an answer, from point-to-plane equations without a scale at it. Whatever the
/// metric, what tells is the distance along the normal: along the surface a point's neighbour follows it, and a small
/// residual says nothing. Points near each other err together, and that counts. `full` has all points.
void tell_pair_errors(const NormalEquations<6>& shape, const PairAnswer& answer, const Prepared& prepared,
                      const Level& full, Backend& backend, Registration& result);

/// The same of an answer that a known start had its part in; no scale is among its motions. Weak directions that
/// the pairs do not hold, and the start knows well enough for a right answer, are taken off the result's list. Returns
/// how many these are.
int tell_errors_with_start(const NormalEquations<6>& shape, double pair_variance, const PairsHold& hold,
                           const PairAnswer& answer, const ObservedPose& start, const Prepared& prepared,
                           Registration& result);

}  // namespace dovetail
