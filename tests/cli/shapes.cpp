// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "cli/shapes.h"

#include <cmath>

namespace dovetail::test {

PointCloud hills() {
  PointCloud cloud;
  for (int i = 0; i <= 40; ++i) {
    for (int j = 0; j <= 30; ++j) {
      const double x = 2.5 * i, y = 2.5 * j;
      const double z =
          12 * std::sin(0.06 * x) * std::cos(0.05 * y) + 0.004 * x * y + 5 * std::exp(-0.01 * (x - 30) * (x - 30));
      cloud.positions.push_back({x, y, z});
    }
  }
  return cloud;
}

PointCloud curve() {
  PointCloud cloud;
  cloud.dimension = 2;
  for (int i = 0; i < 400; ++i) {
    const double x = 0.25 * i;
    cloud.positions.push_back({x, 8 * std::sin(0.1 * x) + 0.002 * x * x, 0});
  }
  return cloud;
}

Transform small_motion() { return Rigid3{exp_so3(Vec3{0.05, -0.08, 0.1}), {2, -3, 1.5}}; }
Transform small_motion_2d() { return Rigid2{exp_so2(0.1), {2, -1}}; }

PointCloud line() {
  PointCloud cloud;
  for (int i = 0; i < 50; ++i) cloud.positions.push_back({1.0 * i, 2.0 * i, -1.0 * i});
  return cloud;
}

}  // namespace dovetail::test
