// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "pose/range_scene.h"

namespace dovetail::pose {

/// The number of the smooth patch that each pixel belongs to, from 0 on: connected pixels, of which neighbours differ
/// by no more than `step` mm. -1 for those at edges, without depth or taken.
std::vector<int> scene_patches(const RangeScene& scene, const std::vector<std::uint8_t>& taken, double step);

}  // namespace dovetail::pose
