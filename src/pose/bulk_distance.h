// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "core/pose_distance.h"
#include "dovetail/points.h"
#include "io/bop_objects.h"

namespace dovetail::pose {

/// Brégier's distance of an object whose symmetries a models_info.json tells, and how far apart is still the same.
struct BulkDistance {
  PoseDistance distance;
  double diameter = 0;  ///< of the smallest sphere about the centre that has every vertex
};

/// The centre is the mean of the surface, brought to where every symmetry leaves it.
BulkDistance bulk_distance(const PointCloud& mesh, const io::BopObject& object);

}  // namespace dovetail::pose
