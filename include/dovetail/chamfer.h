// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>

#include "dovetail/distance_field.h"

namespace dovetail {

/// What the transform of a chamfer alignment may do; each contains the ones before it.
enum class ChamferModel { rigid, similarity, affine, projective };

/// In which order Levenberg-Marquardt looks at the data. The steps are the same.
enum class LmOrder {
  pipelined,    ///< cost, gradient and Hessian of a candidate in one pass
  traditional,  ///< the cost first, and a second pass for the derivatives once the candidate is accepted
};

/// How an alignment ends.
enum class ChamferFinish {
  automatic,   ///< by likelihood where the reference is lines in the plane, else by distance
  distance,    ///< the distances to the reference are made small
  likelihood,  ///< it is made probable to observe the points where they are; for lines in the plane
};

/// Parametric chamfer alignment: observed points are moved downhill on their distances to a reference (points, lines,
/// surfaces), looked up in a distance field. No correspondences; scale, affine and projective models. Every default
/// follows the data's own size. A value of 0 means "automatic" where the field says so. docs/methods/chamfer.md tells
/// the equations and the schedule.
struct Chamfer {
  ChamferModel model = ChamferModel::rigid;

  /// Distance at which a point stops counting, in file units: where the schedule starts, and where it ends. 0:
  /// automatic, from the spacing of the starts down to a few times the noise found.
  double cap_start = 0;
  double cap_end = 0;

  /// The range searched about each given start: shifts along each axis in file units (0: automatic, a fifth of
  /// the observed points' radius), rotations about each axis in degrees, and changes of scale (0.1: ten percent either
  /// way).
  double search_shift = 0;
  double search_rotation = 10;
  double search_scale = 0.1;

  /// Starts tried within that range; 0: automatic. 1: the given start alone.
  int starts = 0;

  /// Observed points the search uses; 0: automatic.
  int search_points = 0;

  /// Fit the simpler models first, each from the answer of the one before.
  bool hierarchy = true;

  /// What the last stage looks at. By distance alone roads without detections draw points to them and noise shrinks
  /// the answer a little; by likelihood neither does, and the ends of lines count.
  ChamferFinish finish = ChamferFinish::automatic;

  LmOrder order = LmOrder::pipelined;

  /// The most Levenberg-Marquardt iterations of a stage of the schedule.
  int max_iterations = 100;

  /// Converged when an accepted step moves the observed points by less than this part of a cell.
  double tolerance = 1e-3;

  /// The distance field, where none is given.
  FieldOptions field{};
};

}  // namespace dovetail
