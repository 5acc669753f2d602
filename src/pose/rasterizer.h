// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/models.h"
#include "pose/depth_renderer.h"

// A single small mesh before a camera, drawn triangle by triangle: tens of times faster than rays where a part covers a
// few thousand pixels and stands there only once. The same depths as render_surface().

namespace dovetail::pose {

/// A mesh that is drawn at many poses.
struct RasterMesh {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// The smallest region that has all that a camera may see of the mesh.
PixelRegion seen_region(const RasterMesh& mesh, const Rigid3& camera_from_mesh, const Pinhole& camera);

/// What a camera sees of the mesh alone, in the smallest region that has it all. Faces are seen from both sides;
/// triangles with a corner that is not before the camera are not seen. `part` is 0 where there is the mesh, else -1.
RenderedSurface raster_surface(const RasterMesh& mesh, const Rigid3& camera_from_mesh, const Pinhole& camera);

/// Where along the rays of an image a solid is: at each pixel none, one or several stretches of depth.
struct SolidImage {
  struct Stretch {
    float from, to;
  };
  PixelRegion region;
  std::vector<std::uint32_t> begin;  ///< of the stretches of each pixel, row by row, and their number
  std::vector<Stretch> stretches;

  std::span<const Stretch> at(int x, int y) const {
    if (!region.contains(x, y)) return {};
    const std::size_t i = region.offset(x, y);
    return std::span(stretches).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

/// Of a mesh whose faces all look out of it or all into it; solids that overlap are fine. Where a ray ends inside, the
/// mesh is not closed there, and the pixel has no stretch.
SolidImage raster_solid(const RasterMesh& mesh, const Rigid3& camera_from_mesh, const Pinhole& camera);

}  // namespace dovetail::pose
