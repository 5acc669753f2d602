// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/rasterise.h"

namespace dovetail {

/// A triangle of a mesh where it stands, and the pixels that may see it.
struct PosedTriangle {
  raster::Triangle triangle;
  raster::Window window;
};

inline DOVETAIL_HD PosedTriangle posed_triangle(const RasterDraw& draw, std::uint32_t index,
                                                const raster::Camera& camera, const raster::Region& region) {
  const auto* const corner = reinterpret_cast<const std::uint32_t*>(draw.mesh.triangles + index);
  Vec3 at[3];
  for (int k = 0; k < 3; ++k) {
    at[k] =
        draw.camera_from_mesh.rotation * draw.mesh.points[corner[k]].cast<double>() + draw.camera_from_mesh.translation;
  }
  const raster::Triangle triangle(at[0], at[1], at[2]);
  return {triangle, raster::window_of(at, triangle, camera, region)};
}

}  // namespace dovetail
