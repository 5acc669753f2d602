// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/silhouette.h"

#include <algorithm>
#include <cmath>

namespace dovetail::report {
namespace {

/// Where a point is seen, in pixels whose centres are whole numbers; `front`: before the camera.
struct Seen {
  double x = 0, y = 0;
  bool front = false;
};

/// Which pixels are covered.
class Mask {
 public:
  Mask(int width, int height)
      : width_(width), height_(height), covered_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  void cover(double x, double y) {
    if (!(x > -0.5 && y > -0.5 && x < width_ - 0.5 && y < height_ - 0.5)) return;
    at(static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y))) = 1;
  }

  /// The pixels whose centres are in a triangle, and those its corners are in: small ones leave no holes.
  void cover(const Seen& a, const Seen& b, const Seen& c) {
    for (const Seen* corner : {&a, &b, &c}) cover(corner->x, corner->y);
    const int low = first(std::min({a.y, b.y, c.y})), high = last(std::max({a.y, b.y, c.y}), height_);
    for (int row = low; row <= high; ++row) {
      double from = width_, to = -1;
      const auto cross = [&](const Seen& p, const Seen& q) {
        if ((p.y < row) == (q.y < row) && p.y != row && q.y != row) return;
        const double share = q.y == p.y ? 0 : std::clamp((row - p.y) / (q.y - p.y), 0.0, 1.0);
        for (const double x : {p.x + share * (q.x - p.x), q.y == p.y ? q.x : p.x + share * (q.x - p.x)}) {
          from = std::min(from, x), to = std::max(to, x);
        }
      };
      cross(a, b), cross(b, c), cross(c, a);
      if (!(from <= to)) continue;
      for (int column = first(from); column <= last(to, width_); ++column) at(column, row) = 1;
    }
  }

  std::vector<PixelSpan> spans() const {
    std::vector<PixelSpan> all;
    for (int row = 0; row < height_; ++row) {
      const auto* const begin = covered_.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(width_);
      for (int x = 0; x < width_;) {
        if (begin[x] == 0) {
          ++x;
          continue;
        }
        const int from = x;
        while (x < width_ && begin[x] != 0) ++x;
        all.push_back(
            {static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(x)});
      }
    }
    return all;
  }

 private:
  std::uint8_t& at(int x, int y) {
    return covered_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)];
  }
  static int first(double value) { return value <= 0 ? 0 : static_cast<int>(std::ceil(std::min(value, 1e6))); }
  static int last(double value, int size) {
    return value < 0 ? -1 : std::min(size - 1, static_cast<int>(std::floor(std::min(value, 1e6))));
  }

  int width_, height_;
  std::vector<std::uint8_t> covered_;
};

}  // namespace

std::vector<PixelSpan> silhouette(const PointCloud& part, const Transform& camera_from_part,
                                  const DepthCamera& camera) {
  if (camera.width <= 0 || camera.height <= 0 || camera.width > 65535 || camera.height > 65535) return {};
  std::vector<Seen> seen(part.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Vec3 p = camera_from_part * part.positions[i];
    if (!(p[2] > 0)) continue;
    seen[i] = {camera.fx * p[0] / p[2] + camera.cx - camera.pixel_center,
               camera.fy * p[1] / p[2] + camera.cy - camera.pixel_center, true};
  }
  Mask mask(camera.width, camera.height);
  const Faces& faces = part.faces;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (std::uint32_t c = faces.start[f] + 1; c + 1 < faces.start[f + 1]; ++c) {
      const std::uint32_t corners[] = {faces.index[faces.start[f]], faces.index[c], faces.index[c + 1]};
      const auto drawn = [&](std::uint32_t i) { return i < seen.size() && seen[i].front; };
      if (!std::all_of(std::begin(corners), std::end(corners), drawn)) continue;
      mask.cover(seen[corners[0]], seen[corners[1]], seen[corners[2]]);
    }
  }
  if (faces.empty()) {
    for (const Seen& p : seen) {
      for (int dy = -1; p.front && dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) mask.cover(p.x + dx, p.y + dy);
      }
    }
  }
  return mask.spans();
}

}  // namespace dovetail::report
