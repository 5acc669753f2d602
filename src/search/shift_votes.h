// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/matrix.h"
#include "methods/placements.h"

namespace dovetail {

/// Points with normals.
struct FacingPoints {
  std::vector<gpicp::OrientedPoint> points;
  bool one_sided = false;  ///< normals tell which way a surface faces; else n and −n are the same
  int dimension = 3;
};

/// Cells that votes are counted in, and how many shifts are wanted.
struct ShiftVotes {
  double cell = 0;
  std::size_t most = 0;
};

/// The shifts for which most pairs of points vote, of those that face the same way once the source is rotated; most
/// votes first.
std::vector<Vec3> voted_shifts(const Mat3& rotation, const FacingPoints& source, const FacingPoints& target,
                               const ShiftVotes& settings);

}  // namespace dovetail
