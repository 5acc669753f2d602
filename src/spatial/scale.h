// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/prepare.h"
#include "spatial/kd_tree.h"

namespace dovetail {

/// Extent and spacing in the units of the tree's points. Does not depend on threads, nor (up to points of one Morton
/// cell) on the order the points came in.
CloudScale measure_scale(const KdTree& tree);

}  // namespace dovetail
