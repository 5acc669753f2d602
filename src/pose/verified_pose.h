// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "core/raster.h"
#include "pose/range_scene.h"
#include "pose/rasterizer.h"
#include "spatial/triangle_mesh.h"

namespace dovetail::pose {

/// What the pixels of a region show of a part, row by row.
struct DrawnRegion {
  PixelRegion region;
  std::vector<raster::Pixel> pixels;  ///< labels: the part's triangles

  /// 0 where the part is not seen.
  float depth(std::size_t at) const { return raster::depth_of(pixels[at]); }
  float depth_at(int x, int y) const { return region.contains(x, y) ? depth(region.offset(x, y)) : 0; }
};

/// A pose held against the image, pixel by pixel.
struct Verdict {
  DrawnRegion rendered;   ///< the part alone, where it would be seen
  TriangleMeshView mesh;  ///< what was drawn, in host memory
  Rigid3 camera_from_mesh = Rigid3::identity();
  std::vector<std::uint8_t> agrees;  ///< 1: the pixel of `rendered` is explained
  long pixels = 0;                   ///< that the part would have, in the image
  long explained = 0;                ///< the part is where the image has something
  long hidden = 0;                   ///< something is before it
  long impossible = 0;               ///< the image has something behind it: the part cannot be there
  long unknown = 0;                  ///< nothing was measured
  double rmse = 0;                   ///< of the explained ones, mm along the surface's normal

  /// Share of what could be seen and told that is as it should be.
  double purity() const {
    return explained + impossible > 0 ? static_cast<double>(explained) / static_cast<double>(explained + impossible)
                                      : 0;
  }
  double visible() const { return pixels > 0 ? static_cast<double>(explained) / static_cast<double>(pixels) : 0; }
};

/// The camera of a scene as rendering takes it.
Pinhole pinhole_of(const DepthCamera& camera);

/// How much worse another pose fits where both would be seen and something was measured: ln(1 + 2 |m| √n), with m's
/// sign, of n pixels whose cost is m more in the mean. 0 where they fit alike.
double fits_worse(const RangeScene& scene, const Verdict& own, const Verdict& other, double tolerance);

}  // namespace dovetail::pose
