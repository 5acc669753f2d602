// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

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

/// The pixels that what reaches from `low` to `high` in an image may be the nearest of, one more at each end, of those
/// from `first` on.
inline DOVETAIL_HD Span pixels_between(double low, double high, int first, int count) {
  const double begin = low - 1.5, end = high + 0.5, last = first + count - 1.0;
  Span span{first, first + count - 1};
  if (begin > last || end < first) return {0, -1};
  if (begin > first) span.low = static_cast<int>(begin);
  if (end < last) span.high = static_cast<int>(end);
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

/// The pixels of a region that may see a triangle.
inline DOVETAIL_HD Window window_of(const Vec3 (&corners)[3], const Triangle& triangle, const Camera& camera,
                                    const Region& region) {
  if (region.width <= 0 || region.height <= 0 || !triangle.in_front()) return {{0, -1}, {0, -1}};
  const Window all{{region.left, region.left + region.width - 1}, {region.top, region.top + region.height - 1}};
  if (!triangle.whole_in_front()) return all;
  double low[2] = {0, 0}, high[2] = {0, 0};
  for (int k = 0; k < 3; ++k) {
    const Vec3& p = corners[k];
    const double place[2] = {camera.fx * p[0] / p[2] + camera.cx, camera.fy * p[1] / p[2] + camera.cy};
    for (int axis = 0; axis < 2; ++axis) {
      if (k == 0 || place[axis] < low[axis]) low[axis] = place[axis];
      if (k == 0 || place[axis] > high[axis]) high[axis] = place[axis];
    }
  }
  return {pixels_between(low[0], high[0], region.left, region.width),
          pixels_between(low[1], high[1], region.top, region.height)};
}

}  // namespace dovetail::raster
