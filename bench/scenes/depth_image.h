// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>

#include "dovetail/points.h"

namespace dovetail::bench::scenes {

/// A pinhole camera's numbers, in pixels.
struct Intrinsics {
  double fx = 0, fy = 0, cx = 0, cy = 0;
};

/// The points of a depth image, a PNG of 16 bits in millimetres: in metres, in the camera's frame (x right, y down, z
/// ahead). Pixels of zero came back empty. Throws FileError.
PointCloud read_depth_image(const std::filesystem::path& file, const Intrinsics& camera);

}  // namespace dovetail::bench::scenes
