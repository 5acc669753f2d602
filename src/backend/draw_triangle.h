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

inline DOVETAIL_HD Vec3 posed_point(const RasterDraw& draw, std::uint32_t index) {
  return draw.camera_from_mesh.rotation * draw.mesh.points[index].cast<double>() + draw.camera_from_mesh.translation;
}

inline DOVETAIL_HD PosedTriangle posed_triangle(const RasterDraw& draw, std::uint32_t index,
                                                const raster::Camera& camera, const raster::Region& region) {
  const auto* const corner = reinterpret_cast<const std::uint32_t*>(draw.mesh.triangles + index);
  const Vec3 at[3] = {posed_point(draw, corner[0]), posed_point(draw, corner[1]), posed_point(draw, corner[2])};
  const raster::Triangle triangle(at[0], at[1], at[2]);
  return {triangle, raster::window_of(at, triangle, camera, region)};
}

}  // namespace dovetail
