// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/icp.h"

namespace dovetail {

/// What EM-ICP weighs a pair by.
enum class Weighting {
  posterior,    ///< its probability: the exact maximisation step
  square_root,  ///< the root of its probability, as the GPU paper does
};

/// What follows a soft method.
enum class Refinement {
  none,
  icp,  ///< the fine levels of ICP, with its defaults
};

/// EM-ICP: every source point pulls towards all target points, weighted by exp(−d² / σ²); σ shrinks. Every default
/// follows the data's own scale. A value of 0 means "automatic" where the field says so. docs/methods/em_icp.md tells
/// the equations and the schedule.
struct EmIcp {
  Weighting weighting = Weighting::posterior;

  /// Also estimate a uniform scale, once σ is small enough to tell it (posterior weighting only). Each target point
  /// then shares itself out as with Softassign, or the source would shrink into one place.
  bool estimate_scale = false;

  /// Where σ starts and ends, in file units; 0: automatic, from the source's radius down to the points' spacing.
  double sigma_start = 0;
  double sigma_end = 0;

  /// Factor of σ² per iteration; 0: adaptive, slower while the pose moves and faster while it stands still.
  double annealing = 0;

  /// Distance beyond which a source point counts as an outlier, in file units; 0: automatic, it shrinks with σ.
  double outlier_distance = 0;

  /// Expected share of source points that have a counterpart; the outlier's weight then follows it. 0: unknown.
  double overlap = 0;

  /// Voxel size of the finest level, in file units; 0: full resolution.
  double voxel = 0;

  /// The most pose updates at the finest level.
  int max_iterations = 1000;

  /// Converged when, at the last σ, an update moves the source by less than this part of its radius.
  double tolerance = 1e-5;

  /// How far each source point's sum of weights may be off, as a part of it: far target points are left out or taken
  /// together within that. 0: every pair is computed.
  double accuracy = 1e-6;

  /// Motions that may change; the others keep their value from the start.
  Freedom free{};

  /// Starting rotations tried about each given start, on a part of the points; 0: automatic, enough for any rotation.
  /// 1: the start alone.
  int starts = 0;

  /// What polishes the answer.
  Refinement refine = Refinement::none;

  /// Neighbours from which the normal of a point is estimated where its file has none; normals rank answers.
  int normal_neighbours = 20;
};

}  // namespace dovetail
