// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "spatial/cloud_view.h"
#include "spatial/kd_tree.h"
#include "spatial/normal_from_neighbours.h"

namespace dovetail {

/// A cloud and a surface to bring it onto, at one resolution: what ICP and the evaluation of poses read.
struct SurfacePair {
  CloudView source;
  KdTreeView target;
  NormalsView target_normals;  ///< by tree slot
};

/// A cloud at full resolution as the surface it samples: what judging reads.
struct SurfaceView {
  KdTreeView tree;
  NormalsView normals;                   ///< null where there are none, as the next
  const Surroundings* around = nullptr;  ///< by tree slot
  const float* weight = nullptr;
  const std::uint32_t* order = nullptr;  ///< where the normal and the weight of each slot are; null: by slot

  DOVETAIL_HD std::uint32_t stored_at(std::uint32_t slot) const { return order != nullptr ? order[slot] : slot; }
  /// Zero where it is not known.
  DOVETAIL_HD Vec3 normal(std::uint32_t slot) const {
    if (normals.x == nullptr) return {};
    const std::uint32_t at = stored_at(slot);
    return {double{normals.x[at]}, double{normals.y[at]}, double{normals.z[at]}};
  }
  DOVETAIL_HD Vec3 point(std::uint32_t slot) const {
    const TreePoint& p = tree.points[slot];
    return {double{p.x}, double{p.y}, double{p.z}};
  }
};

}  // namespace dovetail
