// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>

#include "dovetail/matrix.h"

// A range image as passes read it. docs/methods/fine_pose.md

namespace dovetail {

/// What was measured at a pixel; 16 bytes, read at once.
struct ScenePixel {
  float depth;      ///< 0 where nothing was measured
  float normal[3];  ///< of the surface there, towards the camera; zero where it is not known
};

/// A plane that no part is beyond: floor or wall.
struct ScenePlane {
  Vec3 normal;  ///< towards the camera
  double height;
};

/// Row by row. The point of pixel (i, j) is depth × ((i − cx) / fx, (j − cy) / fy, 1).
struct SceneView {
  const ScenePixel* pixels = nullptr;
  const float* edge_distance = nullptr;  ///< pixels to the nearest edge; 0 is one, negative where nothing is measured
  const std::uint8_t* background = nullptr;  ///< 1: the pixel shows floor or wall
  const std::uint8_t* limit = nullptr;       ///< number of the plane, from 1, that ends the pixel's ray; 0: none
  const ScenePlane* planes = nullptr;
  std::int32_t width = 0, height = 0;
  double fx = 1, fy = 1, cx = 0, cy = 0;
  double edge_step = 0;  ///< what is farther apart than that is another surface

  DOVETAIL_HD std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
  DOVETAIL_HD bool contains(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
  DOVETAIL_HD Vec3 direction(int x, int y) const { return {(x - cx) / fx, (y - cy) / fy, 1}; }
};

/// Points of several sets, one after another.
struct PointSetsView {
  const float *x = nullptr, *y = nullptr, *z = nullptr;
  std::uint32_t largest = 0;  ///< points of the largest set
};

}  // namespace dovetail
