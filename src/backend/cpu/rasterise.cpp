// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "backend/draw_triangle.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/rasterise.cpp"
#include "hwy/foreach_target.h"
//
#include "hwy/highway.h"

// Compiled once for each instruction set. No products are fused with sums: the bits are those of raster::Triangle.
HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DoubleTag = hn::CappedTag<double, 8>;
using Doubles = hn::Vec<DoubleTag>;

/// A corner of a mesh where it stands, and where it is seen if it is before the camera.
struct Corner {
  Vec3 at;
  raster::Place seen;
};

/// raster::Triangle, asked for the pixels of a row beside each other.
class RowTriangle {
 public:
  RowTriangle(const Vec3& a, const Vec3& b, const Vec3& c)
      : edges_{cross(a, b), cross(b, c), cross(c, a)}, normal_(cross(b - a, c - a)), height_(dot(normal_, a)) {
    near_ = std::min(std::min(a[2], b[2]), c[2]), far_ = std::max(std::max(a[2], b[2]), c[2]);
  }

  const Vec3& edge(int k) const { return edges_[k]; }
  double height() const { return height_; }

  /// Draws `count` pixels of a row; `across` and `down` are the lines of sight.
  HWY_INLINE void draw(const double* across, double down, std::size_t count, std::uint32_t label,
                       raster::Pixel* pixels) const {
    const DoubleTag tag;
    const hn::Rebind<std::uint64_t, DoubleTag> bits;
    const hn::Rebind<float, DoubleTag> narrow;
    const hn::Rebind<std::uint32_t, DoubleTag> narrow_bits;
    const Doubles zero = hn::Zero(tag);
    for (std::size_t i = 0; i < count; i += hn::Lanes(tag)) {
      const Doubles right = hn::LoadU(tag, across + i);
      const auto along = [&](const Vec3& v) HWY_ATTR {
        return hn::Add(hn::Add(hn::Mul(hn::Set(tag, v[0]), right), hn::Set(tag, v[1] * down)), hn::Set(tag, v[2]));
      };
      const Doubles e0 = along(edges_[0]), e1 = along(edges_[1]), e2 = along(edges_[2]);
      const auto up = hn::And(hn::And(hn::Ge(e0, zero), hn::Ge(e1, zero)), hn::Ge(e2, zero));
      const auto under = hn::And(hn::And(hn::Le(e0, zero), hn::Le(e1, zero)), hn::Le(e2, zero));
      const auto covered = hn::Or(up, under);
      if (hn::AllFalse(tag, covered)) continue;
      // What is seen edge-on divides by zero: it has no depth above zero, or one that is not finite.
      const Doubles slope = along(normal_);
      Doubles depth = hn::Div(hn::Set(tag, height_), slope);
      const auto seen = hn::And(covered, hn::And(hn::Gt(depth, zero), hn::Ne(slope, zero)));
      if (hn::AllFalse(tag, seen)) continue;
      depth = hn::IfThenElse(hn::Lt(depth, hn::Set(tag, near_)), hn::Set(tag, near_),
                             hn::IfThenElse(hn::Gt(depth, hn::Set(tag, far_)), hn::Set(tag, far_), depth));
      const auto visible = hn::And(seen, hn::Gt(depth, zero));
      const auto high = hn::PromoteTo(bits, hn::BitCast(narrow_bits, hn::DemoteTo(narrow, depth)));
      const auto pixel = hn::Or(hn::ShiftLeft<32>(high), hn::Set(bits, std::uint64_t{label}));
      const auto drawn = hn::IfThenElse(hn::RebindMask(bits, visible), pixel, hn::Set(bits, raster::nothing));
      if (i + hn::Lanes(tag) <= count) {
        hn::StoreU(hn::Min(hn::LoadU(bits, pixels + i), drawn), bits, pixels + i);
        continue;
      }
      HWY_ALIGN raster::Pixel last[hn::MaxLanes(tag)];
      hn::Store(drawn, bits, last);
      for (std::size_t k = 0; i + k < count; ++k) pixels[i + k] = std::min(pixels[i + k], last[k]);
    }
  }

 private:
  Vec3 edges_[3];
  Vec3 normal_;
  double height_, near_, far_;
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

/// Draws meshes into one region. What is done for each corner, column and row is done once.
class RegionDrawing {
 public:
  RegionDrawing(const Rasterise& job, const raster::Region& region) : job_(job), region_(region) {
    for (int x = 0; x < region.width; ++x) across_.push_back(job.camera.direction(region.left + x, 0)[0]);
    const std::size_t pixels = across_.size() * static_cast<std::size_t>(std::max(0, region.height));
    std::fill_n(job.pixels + region.begin, pixels, raster::nothing);
    across_.resize(across_.size() + hn::Lanes(DoubleTag()), 0.0);
    for (int y = 0; y < region.height; ++y) down_.push_back(job.camera.direction(0, region.top + y)[1]);
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
  void draw_triangle(const RasterDraw& draw, std::uint32_t number) {
    const auto& [first, second, third] = draw.mesh.triangles[number];
    const Corner &a = corners_[first], &b = corners_[second], &c = corners_[third];
    const int before = (a.at[2] > 0) + (b.at[2] > 0) + (c.at[2] > 0);
    if (before == 0) return;
    const raster::Window window =
        before == 3 ? raster::window_of(a.seen, b.seen, c.seen, region_) : raster::window_of(region_);
    if (window.pixels() == 0) return;
    const RowTriangle triangle(a.at, b.at, c.at);
    const std::uint32_t label = draw.label_of(number);
    if (window.width() <= static_cast<int>(hn::Lanes(DoubleTag()))) {
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

  void draw_row(const RowTriangle& triangle, const raster::Span& columns, int y, std::uint32_t label) {
    if (columns.high < columns.low) return;
    triangle.draw(across_.data() + (columns.low - region_.left), down_[static_cast<std::size_t>(y - region_.top)],
                  static_cast<std::size_t>(columns.high - columns.low + 1), label,
                  job_.pixels + region_.at(columns.low, y));
  }

  const Rasterise& job_;
  const raster::Region region_;
  std::vector<double> across_, down_;  // of each column's and each row's line of sight
  std::vector<Corner> corners_;
};

/// `order`: the draws, region by region.
void draw_region(const Rasterise& job, const std::vector<std::uint32_t>& order, std::uint32_t number) {
  RegionDrawing drawing(job, job.regions[number]);
  auto own = std::lower_bound(order.begin(), order.end(), number,
                              [&](std::uint32_t draw, std::uint32_t r) { return job.draws[draw].region < r; });
  for (; own != order.end() && job.draws[*own].region == number; ++own) drawing.draw(job.draws[*own]);
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(draw_region);

void CpuBackend::add_rasterise() {
  add<Rasterise>([](Backend& self, void* job) {
    const Rasterise& work = *static_cast<const Rasterise*>(job);
    std::vector<std::uint32_t> order(work.draw_count);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return work.draws[a].region < work.draws[b].region; });
    self.on_host([&] {
      // A region is drawn by one thread.
      parallel_for(work.region_count, 1, [&](std::size_t number) {
        HWY_DYNAMIC_DISPATCH(draw_region)(work, order, static_cast<std::uint32_t>(number));
      });
    });
  });
}

}  // namespace dovetail
#endif
