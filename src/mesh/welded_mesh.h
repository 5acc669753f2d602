// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dovetail/points.h"

namespace dovetail::mesh {

using Corners = std::array<std::uint32_t, 3>;

/// The triangles of a mesh over different places, so that neighbours share corners.
struct WeldedMesh {
  std::vector<Vec3> places;
  std::vector<Corners> triangles;  ///< those with an area
  double diagonal = 0;             ///< of the box about the places
  double tolerance = 0;            ///< places nearer than that are one
  std::size_t broken_faces = 0;
  std::size_t all_triangles = 0;  ///< those that are left out too
  std::size_t flat = 0;           ///< triangles left out: without area, or as good as

  const Vec3& corner(const Corners& triangle, std::size_t k) const { return places[triangle[k]]; }
  /// Twice the area, along the normal.
  Vec3 area_vector(const Corners& triangle) const {
    return cross(corner(triangle, 1) - corner(triangle, 0), corner(triangle, 2) - corner(triangle, 0));
  }
  bool is_flat(const Corners& triangle) const;
};

/// Whether a point is finite and not farther out than anything is.
bool is_usable(const Vec3& p);

using FaceCorner = std::vector<std::uint32_t>::const_iterator;
/// Whether a face has too few corners, or one that is not there, not finite or farther out than anything is.
bool is_broken(const PointCloud& mesh, FaceCorner begin, FaceCorner end);

WeldedMesh weld(const PointCloud& mesh);

}  // namespace dovetail::mesh
