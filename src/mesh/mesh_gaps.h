// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "mesh/mesh_edges.h"

namespace dovetail::mesh {

/// A chain of open edges.
struct Gap {
  std::vector<Edge> edges;
  double size = 0;  ///< diagonal of the box about it
  Vec3 middle{};    ///< mean of its edges' ends
  bool slit = false;
};

struct Gaps {
  std::vector<Gap> all;
  std::size_t crowded = 0, uneven = 0;  ///< edges with more than two triangles
};

Gaps gaps_of(const WeldedMesh& mesh);

/// Closes small holes by triangles from their edges to their middles.
void close_small_holes(WeldedMesh& mesh);

}  // namespace dovetail::mesh
