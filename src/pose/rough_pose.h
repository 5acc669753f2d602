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
    float x, y;      ///< in the image, from its middle
    float depth;     ///< about the part's centre, mm
    float distance;  ///< to an edge, pixels
    float weight;    ///< |cos| of normal and view
  };
  std::vector<Pixel> pixels;
  float inner_x = 0, inner_y = 0, inner_depth = 0;  ///< the pixel farthest from every edge
  float middle_x = 0, middle_y = 0;                 ///< mean of the part's pixels
  float weight = 0;                                 ///< sum over the sample
  float area = 0;                                   ///< the same of all pixels
};

/// At most `most` pixels each.
std::vector<ReferenceSample> sample_references(const PoseReferences& part, std::size_t most);

/// A reference laid on a window: shifted by (x, y) pixels from the middle, its centre at depth z.
struct RoughPose {
  std::size_t reference = 0;
  double x = 0, y = 0, z = 0;
  double error = 1;  ///< 0 where all of it is where the scene is; 1 where the scene says that it cannot be there
  double worth = 0;  ///< error and size of what is seen in one: ranks
};

struct RoughSettings {
  double tolerance = 0;  ///< mm: what may be due to the coarse steps of orientation
};

/// The best place of each reference on the window, the most promising first.
std::vector<RoughPose> rough_poses(const SceneWindow& window, const std::vector<ReferenceSample>& samples,
                                   const RoughSettings& settings);

/// camera_from_part of a reference laid on a window.
Rigid3 pose_of(const RoughPose& rough, const SceneWindow& window, const PoseReferences& part);

}  // namespace dovetail::pose
