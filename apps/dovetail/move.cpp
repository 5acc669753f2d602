// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "move.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace dovetail::app {
namespace {

/// What a point is divided by; 0 on the horizon, and of the other sign beyond it.
double divisor(const Transform& pose, const Vec3& p) {
  return pose.matrix(3, 0) * p[0] + pose.matrix(3, 1) * p[1] + pose.matrix(3, 3);
}

/// The points on the horizon and beyond it: most are before it.
std::vector<std::size_t> lost_points(const Transform& pose, const PointCloud& cloud) {
  std::size_t positive = 0, negative = 0;
  double largest = 0;
  for (const Vec3& p : cloud.positions) {
    const double w = divisor(pose, p);
    positive += w > 0, negative += w < 0;
    if (std::isfinite(w)) largest = std::max(largest, std::fabs(w));
  }
  const double side = negative > positive ? -1 : 1, rounding = 1e-12 * largest;
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (side * divisor(pose, cloud.positions[i]) <= rounding) lost.push_back(i);  // not so where it is no number
  }
  return lost;
}

}  // namespace

PointCloud move_points(const Transform& pose, const PointCloud& cloud, const std::string& file) {
  PointCloud moved = pose * cloud;
  if (pose.model != Model::projective2) return moved;
  const std::vector<std::size_t> lost = lost_points(pose, cloud);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t i : lost) moved.positions[i] = {none, none, 0};
  if (!lost.empty()) {
    fmt::print(stderr,
               "dovetail: warning: {} of the {} points of {} lie on or beyond the horizon of the projective pose; they "
               "become invalid points\n",
               lost.size(), cloud.size(), file);
  }
  return moved;
}

}  // namespace dovetail::app
