// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "pose/range_scene.h"

namespace dovetail::pose {

/// Lengths in mm.
struct StartSettings {
  double apart = 0;    ///< between starts of one patch
  double narrow = 0;   ///< what is narrower is no start
  double largest = 0;  ///< diameter of the largest part: a plane that is larger may be floor or wall
};

/// How far depths of neighbours on one patch may be apart, mm.
inline double patch_step(const StartSettings& settings) { return 0.25 * settings.narrow; }

/// Floor and walls: planes that are larger than a part. What is seen of them is no evidence for a part; and no part is
/// beyond them, neither where they are seen nor where parts that lie on them hide them.
struct Background {
  struct Plane {
    Vec3 normal{};      ///< towards the camera
    double height = 0;  ///< dot(normal, p) of its points
  };
  std::vector<Plane> planes;
  std::vector<std::uint8_t> seen;  ///< 1: the pixel shows floor or wall
  std::vector<std::uint8_t>
      limit;  ///< of each pixel the number of the plane, from 1, that ends its ray; 0: none is known

  /// Whether a point that is seen at a pixel would be farther beyond its plane than `margin` mm.
  bool beyond(std::size_t pixel, const Vec3& p, double margin) const {
    if (limit[pixel] == 0) return false;
    const Plane& plane = planes[limit[pixel] - 1u];
    return dot(plane.normal, p) - plane.height < -margin;
  }
};

/// A plane is one patch that is well larger than a part; or several that lie in one plane, together larger
/// than a part, that end where something nearer begins, and beyond which nothing was seen: a floor between the parts
/// that lie on it.
Background background_of(const RangeScene& scene, const StartSettings& settings);

}  // namespace dovetail::pose
