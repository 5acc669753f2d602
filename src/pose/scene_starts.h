// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "pose/background.h"

namespace dovetail::pose {

/// Where a search begins: a pixel well inside of a surface.
struct SceneStart {
  int x = 0, y = 0;
  double depth = 0;       ///< mean of the surface nearby
  bool on_large = false;  ///< on floor or wall
};

/// Pixels in the middle of smooth patches, nearest to the camera first. Pixels that are `taken` are left out, and few
/// are on the background, and last.
std::vector<SceneStart> scene_starts(const RangeScene& scene, const std::vector<std::uint8_t>& taken,
                                     const Background& background, const StartSettings& settings);

}  // namespace dovetail::pose
