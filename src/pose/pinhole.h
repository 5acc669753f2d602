// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstddef>

#include "dovetail/matrix.h"

namespace dovetail::pose {

/// Where a pixel looks: from `origin` along `direction`, whose z is 1, so that what is measured along it is depth.
struct ViewRay {
  Vec3 origin{};
  Vec3 direction{0, 0, 1};
};

/// A pinhole camera: x to the right, y down, z along the view; a point is seen at (fx x / z + cx, fy y / z + cy). Pixel
/// (i, j) covers [i, i + 1) × [j, j + 1), so that its centre is at i + ½, j + ½.
struct Pinhole {
  double fx = 0, fy = 0, cx = 0, cy = 0;
  int width = 0, height = 0;

  /// Along the ray through a place of the image, z = 1.
  Vec3 direction(double u, double v) const { return {(u - cx) / fx, (v - cy) / fy, 1}; }
  ViewRay ray(double u, double v) const { return {{}, direction(u, v)}; }
};

/// A camera that is infinitely far away: a point is seen at (x / pixel + cx, y / pixel + cy), whatever its depth.
struct Orthographic {
  double pixel = 0;  ///< side of a pixel, in units of length
  double cx = 0, cy = 0;
  int width = 0, height = 0;

  ViewRay ray(double u, double v) const { return {{(u - cx) * pixel, (v - cy) * pixel, 0}, {0, 0, 1}}; }
};

/// A rectangle of pixels; empty where a side is not positive.
struct PixelRegion {
  int left = 0, top = 0, width = 0, height = 0;

  int right() const { return left + width; }
  int bottom() const { return top + height; }
  bool empty() const { return width <= 0 || height <= 0; }
  bool contains(int x, int y) const { return x >= left && x < right() && y >= top && y < bottom(); }
  std::size_t pixels() const {
    return empty() ? 0 : static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
  /// Where in a row by row array of its pixels one of them is.
  std::size_t offset(int x, int y) const {
    return static_cast<std::size_t>(y - top) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x - left);
  }
  friend bool operator==(const PixelRegion&, const PixelRegion&) = default;
};

template <class Camera>
PixelRegion whole_image(const Camera& camera) {
  return {0, 0, camera.width, camera.height};
}

/// The pixels that both have.
inline PixelRegion common(const PixelRegion& a, const PixelRegion& b) {
  const int left = std::max(a.left, b.left), top = std::max(a.top, b.top);
  return {left, top, std::max(0, std::min(a.right(), b.right()) - left),
          std::max(0, std::min(a.bottom(), b.bottom()) - top)};
}

/// The smallest rectangle that has the pixels of both.
inline PixelRegion around(const PixelRegion& a, const PixelRegion& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const int left = std::min(a.left, b.left), top = std::min(a.top, b.top);
  return {left, top, std::max(a.right(), b.right()) - left, std::max(a.bottom(), b.bottom()) - top};
}

}  // namespace dovetail::pose
