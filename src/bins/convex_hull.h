// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/matrix.h"

namespace dovetail::bins {

/// Where dot(normal, x) <= offset.
struct HalfSpace {
  Vec3 normal{};  ///< unit length
  double offset = 0;
};

/// The smallest convex body about points. Of points in a plane it is flat and has no faces.
struct ConvexHull {
  std::vector<Vec3> corners;
  std::vector<HalfSpace> faces;
  std::vector<std::array<std::uint32_t, 2>> edges;  ///< pairs of corners, by index
  double volume = 0;

  /// How far a point is outside: the largest distance before a face; negative inside.
  double outside(const Vec3& point) const;
};

ConvexHull convex_hull(std::span<const Vec3> points);

}  // namespace dovetail::bins
