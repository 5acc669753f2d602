// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "pose/scene_starts.h"

namespace dovetail::pose {

/// What lies about a place of the scene, as a camera from far away along the same line of sight would see it: at the
/// scale and in the manner of a part's references, so that the two can be laid on each other.
struct SceneWindow {
  static constexpr float nothing = 1e9f;

  int size = 0;      ///< pixels, width and height; the place is in the middle
  double pixel = 0;  ///< mm
  Mat3 camera_from_window = Mat3::identity();
  Vec3 origin{};                ///< the place, in the camera's frame
  std::vector<float> depth;     ///< along the line of sight, from the place on, mm; `nothing` where nothing is known
  std::vector<float> distance;  ///< to the nearest edge, pixels
};

SceneWindow window_about(const RangeScene& scene, const SceneStart& start, int size, double pixel, double edge_step,
                         double distance_limit);

}  // namespace dovetail::pose
