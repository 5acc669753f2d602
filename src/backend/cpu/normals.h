// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "spatial/kd_tree.h"
#include "spatial/normal_from_neighbours.h"

namespace dovetail {

/// Normals of the tree's points, on all threads.
void estimate_normals_cpu(const KdTree& tree, const NormalSettings& settings, const NormalArrays& out);

}  // namespace dovetail
