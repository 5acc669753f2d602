// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/range_map.h"

#include <algorithm>
#include <cmath>

#include "core/plane_angle.h"
#include "spatial/parallel.h"

namespace dovetail {

namespace {

constexpr double spacings_a_cell = 1.6;  ///< so that cells between points of one surface are rarely empty
constexpr double most_cells = 16e6;
/// Of a cell's width: deeper than a surface that a sensor still sees at that slant; the share of such cells that the
/// edges of things before others make up at most, and how many cells there are at least for each point.
constexpr double steepest = 12, most_deep = 0.2, least_filled = 0.15;

}  // namespace

RangeMap::RangeMap(std::span<const Vec3> points, const Vec3& viewpoint, double spacing) : viewpoint_(viewpoint) {
  Vec3 ahead{};
  double ranges = 0, count = 0;
  for (const Vec3& p : points) {
    const double r = norm(p - viewpoint);
    if (!(r > 0)) continue;
    ahead += (1 / r) * (p - viewpoint);
    ranges += r, count += 1;
  }
  const double length = norm(ahead);
  ahead = length > 1e-3 * count ? (1 / length) * ahead : Vec3{1, 0, 0};
  const Vec3 away = std::fabs(ahead[2]) < 0.8 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
  Vec3 side = cross(away, ahead);
  side = (1 / norm(side)) * side;
  const Vec3 up = cross(ahead, side);
  axes_ = {ahead[0], ahead[1], ahead[2], side[0], side[1], side[2], up[0], up[1], up[2]};

  std::vector<Angles> angles(points.size());
  parallel_for(points.size(), 1024, [&](std::size_t i) { angles[i] = angles_of(points[i]); });
  double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
  for (const Angles& a : angles) {
    low[0] = std::min(low[0], a.across), high[0] = std::max(high[0], a.across);
    low[1] = std::min(low[1], a.up), high[1] = std::max(high[1], a.up);
  }
  if (count == 0) return;
  cell_ = spacings_a_cell * spacing / (ranges / count);
  const double span[2] = {high[0] - low[0], high[1] - low[1]};
  cell_ = std::max({cell_, 1e-5, std::sqrt(span[0] * span[1] / most_cells)});
  first_across_ = low[0], first_up_ = low[1];
  width_ = static_cast<std::uint32_t>(span[0] / cell_) + 1;
  height_ = static_cast<std::uint32_t>(span[1] / cell_) + 1;
  cells_.assign(std::size_t{width_} * height_, {});
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::uint32_t c = cell_at(angles[i]);
    if (c == no_cell) continue;
    const auto r = static_cast<float>(norm(points[i] - viewpoint));
    Seen& seen = cells_[c];
    seen = seen.nothing() ? Seen{r, r} : Seen{std::min(seen.near, r), std::max(seen.far, r)};
  }
  double filled = 0, deep = 0;
  for (const Seen& seen : cells_) {
    filled += seen.nothing() ? 0 : 1;
    deep += double{seen.far} - double{seen.near} > steepest * cell_ * double{seen.near} ? 1 : 0;
  }
  plausible_ = deep < most_deep * filled && filled > least_filled * count;
  find_clear();
}

void RangeMap::find_clear() {
  clear_.assign(cells_.size(), 0.0f);
  parallel_for(height_, 8, [&](std::size_t row) {
    const auto y = static_cast<std::uint32_t>(row);
    for (std::uint32_t x = 0; x < width_; ++x) {
      float nearest = INFINITY;
      int there = 0, seen = 0;
      for (std::uint32_t v = y > 0 ? y - 1 : 0; v < std::min(height_, y + 2); ++v) {
        for (std::uint32_t u = x > 0 ? x - 1 : 0; u < std::min(width_, x + 2); ++u) {
          const Seen& s = cells_[std::size_t{v} * width_ + u];
          ++there;
          if (s.nothing()) continue;
          ++seen;
          nearest = std::min(nearest, s.near);
        }
      }
      if (2 * seen > there) clear_[std::size_t{y} * width_ + x] = nearest;
    }
  });
}

RangeMap::Angles RangeMap::angles_of(const Vec3& place) const {
  const Vec3 d = axes_ * (place - viewpoint_);
  return {plane_angle(d[1], d[0]), plane_angle(d[2], std::sqrt(d[0] * d[0] + d[1] * d[1]))};
}

std::uint32_t RangeMap::cell_of(const Vec3& place) const { return cell_at(angles_of(place)); }

std::uint32_t RangeMap::cell_at(const Angles& angles) const {
  const double x = (angles.across - first_across_) / cell_, y = (angles.up - first_up_) / cell_;
  if (!(x >= 0 && y >= 0 && x < width_ && y < height_)) return no_cell;
  return static_cast<std::uint32_t>(y) * width_ + static_cast<std::uint32_t>(x);
}

}  // namespace dovetail
