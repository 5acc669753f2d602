// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "spatial/cloud_view.h"
#include "spatial/kd_tree.h"

namespace dovetail {

/// A cloud and a surface to bring it onto, at one resolution: what ICP and the evaluation of poses read.
struct SurfacePair {
  CloudView source;
  KdTreeView target;
  NormalsView target_normals;  ///< by tree slot
};

}  // namespace dovetail
