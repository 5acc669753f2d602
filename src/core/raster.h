// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "dovetail/host_device.h"
#include "dovetail/matrix.h"
#include "dovetail/models.h"

// What a pixel sees of a triangle: the same bits on the host and on a GPU, as long as neither fuses multiplications
// with additions.

namespace dovetail::raster {

/// A pinhole camera: x to the right, y down, z along the view; a point is seen at (fx x / z + cx, fy y / z + cy). The
/// centre of pixel (i, j) is at (i + ½, j + ½).
struct Camera {
  double fx = 1, fy = 1, cx = 0, cy = 0;

  /// Where the centre of a pixel looks; z is 1.
  DOVETAIL_HD Vec3 direction(int i, int j) const { return {(i + 0.5 - cx) / fx, (j + 0.5 - cy) / fy, 1}; }
};

/// Pixels from low to high, both included; none where high is below low.
struct Span {
  int low, high;
};

/// A depth and a label as one number: the nearer is the smaller, and of equally near ones that of the lower label.
using Pixel = std::uint64_t;
constexpr Pixel nothing = ~Pixel{0};

inline DOVETAIL_HD Pixel make_pixel(float depth, std::uint32_t label) {
  union {
    float value;
    std::uint32_t bits;  // of a positive number they rise with it
  } as{depth};
  return (Pixel{as.bits} << 32) | label;
}
inline DOVETAIL_HD float depth_of(Pixel pixel) {
  if (pixel == nothing) return 0;
  union {
    std::uint32_t bits;
    float value;
  } as{static_cast<std::uint32_t>(pixel >> 32)};
  return as.value;
}
constexpr std::uint32_t no_label = UINT32_MAX;
inline DOVETAIL_HD std::uint32_t label_of(Pixel pixel) { return static_cast<std::uint32_t>(pixel & 0xFFFFFFFFu); }

/// A triangle in the camera's frame. The planes through the camera and each edge tell whether a ray passes through it,
/// with no division and wherever its corners are; neighbours compute the plane of their common edge from the same
/// numbers, so that no ray slips through between them.
class Triangle {
 public:
  DOVETAIL_HD Triangle(const Vec3& a, const Vec3& b, const Vec3& c)
      : edges_{cross(a, b), cross(b, c), cross(c, a)},
        normal_(cross(b - a, c - a)),
        height_(dot(normal_, a)),
        near_(least(a[2], b[2], c[2])),
        far_(-least(-a[2], -b[2], -c[2])) {}

  /// Depth along a ray whose direction has z = 1; 0 where it does not meet the triangle before the camera. Both sides
  /// are seen.
  DOVETAIL_HD double depth(const Vec3& direction) const {
    const double e0 = dot(edges_[0], direction), e1 = dot(edges_[1], direction), e2 = dot(edges_[2], direction);
    const bool all_up = e0 >= 0 && e1 >= 0 && e2 >= 0, all_down = e0 <= 0 && e1 <= 0 && e2 <= 0;
    if (!all_up && !all_down) return 0;
    const double slope = dot(normal_, direction);
    if (slope == 0) return 0;  // seen edge-on
    const double depth = height_ / slope;
    if (!(depth > 0)) return 0;
    // Where it is nearly seen edge-on, rounding must not lead beyond its corners.
    return depth < near_ ? near_ : depth > far_ ? far_ : depth;
  }

  /// The planes through the camera and each edge; of what sees the triangle all are on one side, which the sign of
  /// height() tells.
  DOVETAIL_HD const Vec3& edge(int k) const { return edges_[k]; }
  DOVETAIL_HD double height() const { return height_; }

  /// Whether any of it is before the camera.
  DOVETAIL_HD bool in_front() const { return far_ > 0; }
  DOVETAIL_HD bool whole_in_front() const { return near_ > 0; }

 private:
  static DOVETAIL_HD double least(double a, double b, double c) {
    const double m = a < b ? a : b;
    return m < c ? m : c;
  }

  Vec3 edges_[3];
  Vec3 normal_;
  double height_, near_, far_;
};

/// The pixels whose centres are between `low` and `high` in an image, of those from `first` on; what is as near to one
/// of the ends as rounding may move a ray counts as well.
inline DOVETAIL_HD Span pixels_between(double low, double high, int first, int count) {
  constexpr double rounding = 1e-3;  // of a pixel: far more than it can be
  const double begin = low - 0.5 - rounding, end = high - 0.5 + rounding, last = first + count - 1.0;
  Span span{first, first + count - 1};
  if (begin > last || end < first) return {0, -1};
  if (begin > first) span.low = static_cast<int>(ceil(begin));
  if (end < last) span.high = static_cast<int>(floor(end));
  return span;
}

/// A part of an image, row by row: its pixels begin at `begin` of an array.
struct Region {
  int left = 0, top = 0, width = 0, height = 0;
  std::uint64_t begin = 0;

  DOVETAIL_HD std::uint64_t at(int i, int j) const {
    return begin + static_cast<std::uint64_t>(j - top) * static_cast<std::uint64_t>(width) +
           static_cast<std::uint64_t>(i - left);
  }
};

struct Window {
  Span columns, rows;
  DOVETAIL_HD int width() const { return columns.high - columns.low + 1; }
  DOVETAIL_HD int pixels() const {
    return columns.high < columns.low || rows.high < rows.low ? 0 : width() * (rows.high - rows.low + 1);
  }
};

/// Where a point before the camera is seen.
struct Place {
  double u, v;
};
inline DOVETAIL_HD Place place_of(const Camera& camera, const Vec3& p) {
  return {camera.fx * p[0] / p[2] + camera.cx, camera.fy * p[1] / p[2] + camera.cy};
}

/// The pixels of a region that may see a triangle whose corners are seen at three places.
inline DOVETAIL_HD Window window_of(const Place& a, const Place& b, const Place& c, const Region& region) {
  const auto least = [](double x, double y) { return y < x ? y : x; };
  const auto most = [](double x, double y) { return y > x ? y : x; };
  return {pixels_between(least(least(a.u, b.u), c.u), most(most(a.u, b.u), c.u), region.left, region.width),
          pixels_between(least(least(a.v, b.v), c.v), most(most(a.v, b.v), c.v), region.top, region.height)};
}
inline DOVETAIL_HD Window window_of(const Region& region) {
  return {{region.left, region.left + region.width - 1}, {region.top, region.top + region.height - 1}};
}
inline DOVETAIL_HD Window window_of(const Vec3 (&corners)[3], const Triangle& triangle, const Camera& camera,
                                    const Region& region) {
  if (region.width <= 0 || region.height <= 0 || !triangle.in_front()) return {{0, -1}, {0, -1}};
  if (!triangle.whole_in_front()) return window_of(region);
  return window_of(place_of(camera, corners[0]), place_of(camera, corners[1]), place_of(camera, corners[2]), region);
}

}  // namespace dovetail::raster
