// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "mesh/mesh_edges.h"

namespace dovetail::mesh {

/// What hangs together by edges that two triangles share, and by slits.
struct Surface {
  std::vector<std::uint32_t> triangles;
  double open_length = 0;  ///< of edges that meet no other
  bool one_sided = false;
  bool inside_out = false;
};

struct Surfaces {
  std::vector<Surface> all;
  std::vector<std::uint32_t> of_triangle;
  std::size_t flipped = 0;  ///< triangles that were turned, all surfaces that are inside out apart
};

/// Finds the surfaces and turns triangles so that each shows one side: that of most of its area, and where it is a
/// solid the outside. What lies in another solid, a hollow of it, say, keeps the side that most of it shows.
Surfaces orient(WeldedMesh& mesh);

/// Six times the volume under the triangles, seen from a point.
double volume_6(const WeldedMesh& mesh, const std::vector<std::uint32_t>& triangles, const Vec3& from);

}  // namespace dovetail::mesh
