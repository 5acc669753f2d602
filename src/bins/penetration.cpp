// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/penetration.h"

#include <algorithm>
#include <cmath>

namespace dovetail::bins {
namespace {

double depth_of(const std::vector<Vec3>& points, const Rigid3& body_from_points, const Body& body) {
  double deepest = 0;
  for (const Vec3& point : points) {
    const Vec3 p = body_from_points * point;
    if (!body.interior.contains(p)) continue;
    deepest = std::max(deepest, std::sqrt(body.surface.nearest(p, Bounds::infinity).squared_distance));
  }
  return deepest;
}

}  // namespace

double penetration(const Body& a, const Rigid3& scene_from_a, const Body& b, const Rigid3& scene_from_b) {
  const double apart = norm(scene_from_a.translation - scene_from_b.translation);
  if (apart >= a.radius + b.radius) return 0;
  const Rigid3 b_from_a = scene_from_b.inverse() * scene_from_a;
  return std::max(depth_of(a.samples, b_from_a, b), depth_of(b.samples, b_from_a.inverse(), a));
}

double penetration(const Body& body, const Rigid3& scene_from_body, const BinSize& bin) {
  double deepest = 0;
  for (const Vec3& corner : body.corners) {
    const Vec3 p = scene_from_body * corner;
    deepest = std::max(deepest, -p[2]);
    if (bin.plane || p[2] >= bin.height) continue;
    const double x = std::fabs(p[0]) - 0.5 * bin.length, y = std::fabs(p[1]) - 0.5 * bin.width;
    const double beyond = std::max(x, y);
    if (beyond > 0 && beyond < bin.wall) deepest = std::max(deepest, std::min(beyond, bin.height - p[2]));
  }
  return deepest;
}

}  // namespace dovetail::bins
