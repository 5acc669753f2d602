// SPDX-License-Identifier: MIT
// Part of Dovetail.

#ifdef DOVETAIL_WITH_BULLET

#include "bins/piece_shape.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"

namespace dovetail::bins {
namespace {

/// The farthest corner along a direction, and what the shape says of it, both as distances.
void expect_farthest(const std::vector<Vec3>& points, double tolerance) {
  const ConvexHull hull = convex_hull(points);
  const PieceShape shape(hull, 0.001);
  RandomStream random(3, 0);
  for (int i = 0; i < 2000; ++i) {
    // Some along an axis: ties, and the borders between cells of directions.
    Vec3 direction = random.rotation() * Vec3{1, 0, 0};
    if (i < 6)
      direction = {i / 2 == 0 ? 1 - 2.0 * (i % 2) : 0, i / 2 == 1 ? 1 - 2.0 * (i % 2) : 0,
                   i / 2 == 2 ? 1 - 2.0 * (i % 2) : 0};
    double farthest = -1e300;
    for (const Vec3& p : points) farthest = std::max(farthest, dot(p, direction));
    const btVector3 corner =
        shape.localGetSupportingVertexWithoutMargin(btVector3(direction[0], direction[1], direction[2]));
    EXPECT_NEAR(dot(Vec3{corner.x(), corner.y(), corner.z()}, direction), farthest, tolerance) << i;
  }
}

TEST(PieceShape, finds_the_farthest_corner) {
  // The hull is computed with coordinates of 14 bits: corners nearer to it than that may be missing.
  std::vector<Vec3> ball, prism, box;
  RandomStream random(1, 0);
  for (int i = 0; i < 300; ++i) ball.push_back(random.rotation() * Vec3{1, 0, 0});
  for (int i = 0; i < 64; ++i) {
    const double angle = 2 * M_PI * i / 64;
    for (const double z : {-1.0, 0.5}) prism.push_back({0.2 * std::cos(angle), 0.2 * std::sin(angle), z});
  }
  for (int i = 0; i < 8; ++i) box.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 0.5 : -0.5, i & 4 ? 0.1 : -0.1});
  expect_farthest(ball, 5e-4);
  expect_farthest(prism, 5e-4);
  expect_farthest(box, 1e-12);
}

TEST(PieceShape, its_box_holds_it) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  const PieceShape shape(convex_hull(corners), 0.25);
  btVector3 low, high;
  shape.getAabb(btTransform(btQuaternion::getIdentity(), btVector3(10, 0, 0)), low, high);
  EXPECT_EQ(low, btVector3(9.75, -0.25, -0.25));
  EXPECT_EQ(high, btVector3(11.25, 2.25, 3.25));
}

}  // namespace
}  // namespace dovetail::bins

#endif
