// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "dovetail/points.h"

namespace dovetail::scanner {

/// Puts closed solids together from triangles. Corners are listed counter-clockwise as seen from outside.
class MeshBuilder {
 public:
  void triangle(const Vec3& a, const Vec3& b, const Vec3& c);
  void quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

  /// A convex outline, counter-clockwise as seen against `direction`'s tip, pushed along `direction`.
  void prism(const std::vector<Vec3>& outline, const Vec3& direction);

  /// The surface between consecutive rings of equal length, which turn counter-clockwise about +z. Rising rings show
  /// their outside, falling ones their inside; a ring may be all one point.
  void rings(const std::vector<std::vector<Vec3>>& stack);

  PointCloud take() { return std::move(mesh_); }

 private:
  std::uint32_t index_of(const Vec3& p);

  PointCloud mesh_;
  std::map<std::array<double, 3>, std::uint32_t> known_;
};

/// `segments` points of a circle parallel to the xy plane, counter-clockwise from above, beginning on the diagonal.
std::vector<Vec3> circle(const Vec3& center, double radius, int segments);

/// The points where the same rays leave the square of half side `half` (segments: a multiple of 4, so that the corners
/// are among them).
std::vector<Vec3> square(const Vec3& center, double half, int segments);

}  // namespace dovetail::scanner
