// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "backend/draw_triangle.h"

namespace dovetail {
namespace {

/// A corner of a mesh where it stands, and where it is seen if it is before the camera.
struct Corner {
  Vec3 at;
  raster::Place seen;
};

/// Where an edge of a triangle crosses the rows of an image: those that see the triangle are on one side of it. What is
/// nearly parallel to the rows bounds none.
class Crossing {
 public:
  Crossing() = default;
  Crossing(const raster::Camera& camera, const Vec3& edge, bool turned) {
    if (!(std::fabs(edge[0]) > 1e-6 * (std::fabs(edge[1]) + std::fabs(edge[2])))) return;
    (edge[0] > 0) != turned ? bounds_low_ = true : bounds_high_ = true;
    const double per_edge = camera.fx / edge[0];
    per_row_ = -per_edge * edge[1] / camera.fy;
    at_top_ = camera.cx - 0.5 - per_edge * edge[2] + per_row_ * (0.5 - camera.cy);
  }
  void keep(raster::Span& columns, int row) const {
    const double crossed = at_top_ + per_row_ * row;
    // One more at each end, so that rounding decides nothing.
    if (bounds_low_ && crossed - 1 > columns.low) {
      columns.low = crossed - 1 > columns.high ? columns.high + 1 : static_cast<int>(crossed - 1);
    } else if (bounds_high_ && crossed + 1 < columns.high) {
      columns.high = crossed + 1 < columns.low ? columns.low - 1 : static_cast<int>(crossed + 1);
    }
  }

 private:
  double at_top_ = 0, per_row_ = 0;
  bool bounds_low_ = false, bounds_high_ = false;
};

/// Draws meshes into one region. What is done for each corner and each column is done once.
class Region {
 public:
  Region(const Rasterise& job, const raster::Region& region) : job_(job), region_(region) {
    for (int x = 0; x < region.width; ++x) across_.push_back(job.camera.direction(region.left + x, 0)[0]);
  }

  void clear() {
    const std::size_t pixels = across_.size() * static_cast<std::size_t>(std::max(0, region_.height));
    std::fill_n(job_.pixels + region_.begin, pixels, raster::nothing);
  }

  void draw(const RasterDraw& draw) {
    if (region_.width <= 0 || region_.height <= 0) return;
    corners_.clear();
    for (std::uint32_t i = 0; i < draw.mesh.point_count; ++i) {
      const Vec3 p = posed_point(draw, i);
      corners_.push_back({p, p[2] > 0 ? raster::place_of(job_.camera, p) : raster::Place{0, 0}});
    }
    for (std::uint32_t i = 0; i < draw.mesh.count; ++i) draw_triangle(draw, i);
  }

 private:
  /// The pixels that posed_triangle() has, but for what none of them sees.
  void draw_triangle(const RasterDraw& draw, std::uint32_t number) {
    const auto& [first, second, third] = draw.mesh.triangles[number];
    const Corner &a = corners_[first], &b = corners_[second], &c = corners_[third];
    const int before = (a.at[2] > 0) + (b.at[2] > 0) + (c.at[2] > 0);
    if (before == 0) return;
    const raster::Window window =
        before == 3 ? raster::window_of(a.seen, b.seen, c.seen, region_) : raster::window_of(region_);
    if (window.pixels() == 0) return;
    const raster::Triangle triangle(a.at, b.at, c.at);
    const std::uint32_t label = draw.label_of(number);
    constexpr int narrow = 4;  // columns: fewer are as well looked at one by one
    if (window.width() <= narrow) {
      for (int y = window.rows.low; y <= window.rows.high; ++y) draw_row(triangle, window.columns, y, label);
      return;
    }
    Crossing crossing[3];  // of long and thin triangles most of the window is empty
    for (int k = 0; k < 3; ++k) crossing[k] = Crossing(job_.camera, triangle.edge(k), triangle.height() < 0);
    for (int y = window.rows.low; y <= window.rows.high; ++y) {
      raster::Span columns = window.columns;
      for (const Crossing& edge : crossing) edge.keep(columns, y);
      draw_row(triangle, columns, y, label);
    }
  }

  void draw_row(const raster::Triangle& triangle, const raster::Span& columns, int y, std::uint32_t label) {
    const double down = job_.camera.direction(0, y)[1];
    for (int x = columns.low; x <= columns.high; ++x) {
      const double depth = triangle.depth({across_[static_cast<std::size_t>(x - region_.left)], down, 1});
      if (!(depth > 0)) continue;
      raster::Pixel& pixel = job_.pixels[region_.at(x, y)];
      pixel = std::min(pixel, raster::make_pixel(static_cast<float>(depth), label));
    }
  }

  const Rasterise& job_;
  const raster::Region region_;
  std::vector<double> across_;  // of each column's line of sight
  std::vector<Corner> corners_;
};

}  // namespace

void CpuBackend::add_rasterise() {
  add<Rasterise>([](Backend& self, void* job) {
    const Rasterise& work = *static_cast<const Rasterise*>(job);
    std::vector<std::uint32_t> order(work.draw_count);
    std::iota(order.begin(), order.end(), 0u);
    const auto region_of = [&](std::uint32_t draw) { return work.draws[draw].region; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return region_of(a) < region_of(b); });
    self.on_host([&] {
      // A region is drawn by one thread.
      parallel_for(work.region_count, 1, [&](std::size_t number) {
        Region region(work, work.regions[number]);
        region.clear();
        auto own = std::lower_bound(order.begin(), order.end(), number,
                                    [&](std::uint32_t draw, std::size_t r) { return region_of(draw) < r; });
        for (; own != order.end() && region_of(*own) == number; ++own) region.draw(work.draws[*own]);
      });
    });
  });
}

}  // namespace dovetail
