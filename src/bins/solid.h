// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <vector>

#include "core/symmetric.h"
#include "dovetail/points.h"

namespace dovetail::bins {

using Triangle = std::array<Vec3, 3>;

/// The triangles of a mesh; polygons become fans. Throws InvalidArgument, naming `what`, for a mesh without faces, with
/// faces of points that are not there or not finite.
std::vector<Triangle> triangles_of(const PointCloud& mesh, const char* what);

/// What a body enclosed by triangles weighs, its density 1.
struct Mass {
  double volume = 0;  ///< negative where the triangles show their inside
  Vec3 center{};
  Symmetric<double, 3> second_moments{};  ///< about the centre
};
Mass mass_of(const std::vector<Triangle>& triangles);

}  // namespace dovetail::bins
