// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "bins/convex_hull.h"
#include "bins/solid.h"

namespace dovetail::bins {

/// Convex bodies, `most` at most, that together cover all triangles: the triangles are cut by planes along the axes,
/// one piece after another, wherever the hulls of what is on either side are smallest, until that gains next to
/// nothing. It asks nothing of the mesh: solids that overlap, holes and any orientation will do.
std::vector<ConvexHull> convex_pieces(const std::vector<Triangle>& triangles, int most);

}  // namespace dovetail::bins
