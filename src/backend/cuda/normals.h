// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "spatial/kd_tree.h"
#include "spatial/normal_from_neighbours.h"

namespace dovetail {

/// Normals of the tree's points, on a GPU. Host memory in, host memory out.
void estimate_normals_cuda(const KdTree& tree, const NormalSettings& settings, int device, const NormalArrays& out);

}  // namespace dovetail
