// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "mesh/mesh_surfaces.h"

namespace dovetail::mesh {

/// Which surfaces show their inside: those with a negative volume that lie in no other, and what lies in these.
std::vector<std::size_t> inside_out(const WeldedMesh& mesh, const Surfaces& surfaces);

}  // namespace dovetail::mesh
