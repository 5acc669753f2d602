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
  double edge_step = 0;         ///< mm: what is an edge

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

}  // namespace dovetail::pose
