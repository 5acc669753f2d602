// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "dovetail/pose_database.h"
#include "pose/scene_window.h"

namespace dovetail::pose {

/// Some of a reference's pixels, spread over it.
struct ReferenceSample {
  struct Pixel {
    float x, y;   ///< in the image, from its middle
    float depth;  ///< about the part's centre, mm
  };
  std::vector<Pixel> pixels;
};

/// At most `most` pixels each.
std::vector<ReferenceSample> sample_references(const PoseReferences& part, std::size_t most);

/// A reference laid on a window: shifted by (x, y) pixels from the middle, its centre at depth z.
struct RoughPose {
  std::size_t reference = 0;
  double x = 0, y = 0;  ///< pixels
  double z = 0;         ///< mm
  double error = 1;     ///< 0 where all of it is where the scene is; 1 where the scene says that it cannot be there
  double worth = 0;     ///< error and size of what is seen in one: ranks
};

/// camera_from_part of a reference laid on a window.
Rigid3 pose_of(const RoughPose& rough, const SceneWindow& window, const PoseReferences& part);

}  // namespace dovetail::pose
