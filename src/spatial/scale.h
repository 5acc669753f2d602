// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/prepare.h"
#include "spatial/kd_tree.h"
#include "spatial/local_cloud.h"

namespace dovetail {

/// Extent and spacing in the units of the tree's points. Does not depend on threads, nor (up to points of one Morton
/// cell) on the order the points came in.
CloudScale measure_scale(const KdTree& tree);
/// The same of the tree over points that are in the order of the Morton curve.
CloudScale measure_scale(const KdTree& tree, const LocalCloud& along_curve);

}  // namespace dovetail
