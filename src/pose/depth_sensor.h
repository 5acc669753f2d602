// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "dovetail/depth_sensor.h"
#include "pose/depth_renderer.h"

namespace dovetail::pose {

/// What a sensor makes of what there is to see; 0 where it measures nothing. `baseline` is its length, which scales
/// noise and steps. A pixel's errors depend on the seed, its place and what is seen there and beside it, no more.
std::vector<float> measured_depth(const RenderedView& view, const Pinhole& camera, const DepthSensor& sensor,
                                  double baseline, std::uint64_t seed);

}  // namespace dovetail::pose
