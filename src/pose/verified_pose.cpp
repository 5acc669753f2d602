// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/verified_pose.h"

#include <algorithm>
#include <cmath>

#include "methods/drawn_part.h"

namespace dovetail::pose {

Pinhole pinhole_of(const DepthCamera& camera) {
  const double shift = 0.5 - camera.pixel_center;
  return {camera.fx, camera.fy, camera.cx + shift, camera.cy + shift, camera.width, camera.height};
}

namespace {

/// What a pixel costs where a part is drawn and something was measured: half the squared distance along the normal in
/// deviations, no more than where the part is hidden or cannot be.
double cost(const RangeScene& scene, const Verdict& verdict, int x, int y, double there, double tolerance) {
  const std::size_t at = verdict.rendered.region.offset(x, y);
  const raster::Pixel pixel = verdict.rendered.pixels[at];
  const Vec3 ray = scene.camera.direction(x, y);
  const double cosine = static_cast<double>(drawn::plane_at(verdict.mesh, verdict.camera_from_mesh, pixel, ray).cosine);
  const double behind = there - static_cast<double>(raster::depth_of(pixel));
  const double off = behind * cosine * (4 / tolerance);  // the tolerance is four deviations
  constexpr double hidden = 4, most = 8;
  return std::min(0.5 * off * off, behind < 0 ? hidden : most);
}

}  // namespace

double fits_worse(const RangeScene& scene, const Verdict& own, const Verdict& other, double tolerance) {
  double more = 0;
  long pixels = 0;
  const PixelRegion region = common(own.rendered.region, other.rendered.region);
  for (int y = region.top; y < region.bottom(); ++y) {
    for (int x = region.left; x < region.right(); ++x) {
      const double there = static_cast<double>(scene.depth[scene.at(x, y)]);
      if (there == 0 || own.rendered.depth_at(x, y) == 0 || other.rendered.depth_at(x, y) == 0) continue;
      more += cost(scene, other, x, y, there, tolerance) - cost(scene, own, x, y, there, tolerance);
      ++pixels;
    }
  }
  if (pixels == 0) return 0;
  return std::copysign(std::log1p(2 * std::fabs(more) / std::sqrt(static_cast<double>(pixels))), more);
}

}  // namespace dovetail::pose
