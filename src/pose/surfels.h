// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/points.h"

namespace dovetail::pose {

/// A scanned cloud as a mesh: a small hexagon at each point, across its normal, large enough to touch its neighbours.
/// Points that are not finite or have no normal are left out. Throws InvalidArgument where no point has a normal.
PointCloud surfels(const PointCloud& cloud);

}  // namespace dovetail::pose
