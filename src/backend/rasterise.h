// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>

#include "core/raster.h"
#include "dovetail/models.h"
#include "spatial/triangle_mesh.h"

namespace dovetail {

/// A mesh that stands somewhere before the camera, drawn into one of the regions.
struct RasterDraw {
  TriangleMeshView mesh;
  Rigid3 camera_from_mesh = Rigid3::identity();
  std::uint32_t label = 0;         ///< less than raster::no_label
  std::uint32_t region = 0;        ///< index
  bool numbers_triangles = false;  ///< the label is the first triangle's, the next one has the next

  DOVETAIL_HD std::uint32_t label_of(std::uint32_t triangle) const {
    return numbers_triangles ? label + triangle : label;
  }
};

/// Draws depth and labels of posed meshes into parts of images: what is nearest at the centre of each pixel, of equally
/// near ones that of the lowest label. Many small regions at once, one for each pose that is looked at, say. All that
/// is pointed to lies in the machine's memory.
struct Rasterise {
  raster::Camera camera;
  const raster::Region* regions = nullptr;
  std::uint32_t region_count = 0;
  const RasterDraw* draws = nullptr;
  std::uint32_t draw_count = 0;
  std::uint32_t most_triangles = 0;  ///< of any mesh

  raster::Pixel* pixels = nullptr;  ///< out: of all regions; raster::nothing where nothing is seen
  std::size_t pixel_count = 0;
};

}  // namespace dovetail
