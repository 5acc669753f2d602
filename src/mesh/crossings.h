// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "mesh/mesh_surfaces.h"

namespace dovetail::mesh {

struct Crossings {
  std::size_t triangles = 0;  ///< that pass through others of their own surface
  std::size_t overlaps = 0;   ///< pairs of surfaces that pass through each other
};

/// Pairs of triangles one of which an edge of the other pierces, from clearly before its plane to clearly behind it.
/// What only touches, and what lies in one plane, does not count.
Crossings crossings_of(const WeldedMesh& mesh, const Surfaces& surfaces);

}  // namespace dovetail::mesh
