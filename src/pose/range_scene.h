// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "dovetail/range_image.h"

namespace dovetail::pose {

/// A range image made ready for a search: noise taken down, normals, and edges.
struct RangeScene {
  DepthCamera camera;
  std::vector<float> depth;     ///< median of 3 × 3; mm, 0 where nothing was measured
  std::vector<Vec3f> normal;    ///< towards the camera; zero where it is not known
  std::vector<float> distance;  ///< to the nearest edge, pixels

  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(camera.width) + static_cast<std::size_t>(x);
  }
  bool contains(int x, int y) const { return x >= 0 && y >= 0 && x < camera.width && y < camera.height; }
  /// The measured point of a pixel that has a depth, mm.
  Vec3 point(int x, int y) const { return static_cast<double>(depth[at(x, y)]) * camera.direction(x, y); }
  /// The pixel nearest to where a point before the camera is seen.
  struct Pixel {
    int x, y;
  };
  Pixel pixel_of(const Vec3& p) const;
};

/// `edge_step` in mm: what is farther apart than that is another surface.
RangeScene prepare_scene(const RangeImage& image, double edge_step);

/// Where a search begins: a pixel well inside of a surface.
struct SceneStart {
  int x = 0, y = 0;
  double depth = 0;       ///< mean of the surface nearby
  bool on_large = false;  ///< on floor or wall
};

/// Lengths in mm.
struct StartSettings {
  double apart = 0;   ///< between starts of one patch
  double narrow = 0;  ///< what is narrower is no start
  double large = 0;   ///< patches that are larger than this are likely to be floor or wall: few starts, and last
};

/// Pixels in the middle of smooth patches, nearest to the camera first. Pixels that are `taken` are left out, and few
/// are on the background, and last.
std::vector<SceneStart> scene_starts(const RangeScene& scene, const std::vector<std::uint8_t>& taken,
                                     const std::vector<std::uint8_t>& background, const StartSettings& settings);

/// 1 for the pixels in the plane of patches that are larger than a part and mostly flat: a floor, a wall. They are no
/// evidence for a part.
std::vector<std::uint8_t> background_of(const RangeScene& scene, const StartSettings& settings);

}  // namespace dovetail::pose
