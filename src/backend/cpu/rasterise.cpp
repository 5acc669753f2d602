// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>

#include "backend/cpu/cpu_backend.h"
#include "backend/draw_triangle.h"

namespace dovetail {
namespace {

void draw(const Rasterise& job, const RasterDraw& draw) {
  const raster::Region& region = job.regions[draw.region];
  for (std::uint32_t i = 0; i < draw.mesh.count; ++i) {
    const auto [triangle, window] = posed_triangle(draw, i, job.camera, region);
    for (int y = window.rows.low; y <= window.rows.high; ++y) {
      for (int x = window.columns.low; x <= window.columns.high; ++x) {
        const double depth = triangle.depth(job.camera.direction(x, y));
        if (!(depth > 0)) continue;
        raster::Pixel& pixel = job.pixels[region.at(x, y)];
        pixel = std::min(pixel, raster::make_pixel(static_cast<float>(depth), draw.label));
      }
    }
  }
}

}  // namespace

void CpuBackend::add_rasterise() {
  add<Rasterise>([](Backend& self, void* job) {
    const Rasterise& work = *static_cast<const Rasterise*>(job);
    std::fill_n(work.pixels, work.pixel_count, raster::nothing);
    self.on_host([&] {
      // A region is drawn by one thread.
      parallel_for(work.region_count, 1, [&](std::size_t region) {
        for (std::uint32_t i = 0; i < work.draw_count; ++i) {
          if (work.draws[i].region == region) draw(work, work.draws[i]);
        }
      });
    });
  });
}

}  // namespace dovetail
