// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "core/random.h"
#include "dovetail/models.h"
#include "dovetail/points.h"

// How a thing lies on a table, the plane z = 0.

namespace dovetail::bench::scenes {

/// The points that lie farthest out in any of two thousand directions: nearly all that a hull has.
std::vector<Vec3> outermost(const std::vector<Vec3>& points);

/// The largest distance between two points; too small by a thousandth at most.
double diameter_of(const std::vector<Vec3>& points);

/// A mesh in an orientation in which it stays lying, its centre of mass at its origin, turned any way about z: dropped
/// any way round, it rolls until its centre can sink no more (within a hundredth of a degree). The lowest point is at
/// z = 0, the origin above (0, 0).
Rigid3 resting_on_table(const std::vector<Vec3>& outermost_points, RandomStream& random);

/// The same in any orientation, as if something held it.
Rigid3 touching_table(const std::vector<Vec3>& outermost_points, RandomStream& random);

}  // namespace dovetail::bench::scenes
