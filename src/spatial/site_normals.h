// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "spatial/field_grid.h"

namespace dovetail {

/// Gives sites that lie on a line (in 2D) or a surface (in 3D) its normal, told by the other sites within `reach`:
/// there must be a few of them, and they must be flat. The others stand alone.
void estimate_site_normals(int dimension, float reach, std::vector<Site>& sites);

}  // namespace dovetail
