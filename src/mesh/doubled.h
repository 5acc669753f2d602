// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "mesh/welded_mesh.h"

namespace dovetail::mesh {

/// Leaves one of the triangles that are there more than once, and returns how many it took out. Two that lie back to
/// back stay where solids touch there: their walls cancel. Where all of a surface is there twice, once for each side,
/// as files made for pictures have it, one of them goes.
std::size_t drop_doubled(WeldedMesh& mesh);

}  // namespace dovetail::mesh
