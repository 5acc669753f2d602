// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>

#include "dovetail/host_device.h"
#include "dovetail/icp.h"

// What one pair of points gives to the sums of ICP, written once for all machines in icp_terms.inl.

namespace dovetail::icp {

/// The numbers a pass needs besides the pose, in local units.
struct PairSettings {
  Kernel kernel = Kernel::none;
  bool kernel_on_distance = false;  ///< the kernel judges the pair's distance instead of the metric's residual
  float inverse_scale_squared = 0;  ///< 1 / (kernel scale)²
  float flatness = 1e-3f;           ///< ε of plane_to_plane: variance across the surface over variance along it
  float center[3] = {0, 0, 0};      ///< c, about which the perturbation turns
};

DOVETAIL_HD inline float choose(bool condition, float yes, float no) { return condition ? yes : no; }
DOVETAIL_HD inline float square_root(float x) { return sqrtf(x); }

#include "methods/icp_terms.inl"

}  // namespace dovetail::icp
