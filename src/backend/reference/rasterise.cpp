// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>

#include "backend/draw_triangle.h"
#include "backend/reference/reference_backend.h"

namespace dovetail {
namespace {

/// Every pixel of the region looks at every triangle.
void draw(const Rasterise& job, const RasterDraw& draw) {
  const raster::Region& region = job.regions[draw.region];
  for (std::uint32_t i = 0; i < draw.mesh.count; ++i) {
    const raster::Triangle triangle = posed_triangle(draw, i, job.camera, region).triangle;
    for (int y = region.top; y < region.top + region.height; ++y) {
      for (int x = region.left; x < region.left + region.width; ++x) {
        const double depth = triangle.depth(job.camera.direction(x, y));
        if (!(depth > 0)) continue;
        raster::Pixel& pixel = job.pixels[region.at(x, y)];
        pixel = std::min(pixel, raster::make_pixel(static_cast<float>(depth), draw.label_of(i)));
      }
    }
  }
}

}  // namespace

void ReferenceBackend::add_rasterise() {
  add<Rasterise>([](Backend&, void* job) {
    const Rasterise& work = *static_cast<const Rasterise*>(job);
    std::fill_n(work.pixels, work.pixel_count, raster::nothing);
    for (std::uint32_t i = 0; i < work.draw_count; ++i) draw(work, work.draws[i]);
  });
}

}  // namespace dovetail
