// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/bulk_distance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/bop_dataset.h"

namespace dovetail::pose {
namespace {

using test::at;

constexpr double pi = std::numbers::pi;

Rigid3 turned(const Vec3& w) { return {exp_so3(w), {}}; }

/// A square of side 2a: the mean of x² over it is a²/3.
PointCloud square(double half) {
  PointCloud mesh;
  mesh.positions = {{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}};
  mesh.faces.add({0, 1, 2, 3});
  return mesh;
}

TEST(BulkDistance, IsTheRootMeanSquareOverTheSurface) {
  const BulkDistance bulk = bulk_distance(square(3), {});
  EXPECT_NEAR(bulk.diameter, 2 * std::sqrt(18.0), 1e-12);
  EXPECT_NEAR(bulk.distance(at(3, 4, 0), at(0, 0, 0)), 5, 1e-12);
  // Half a turn about z: every point goes twice its distance from the middle, mean square 4 (9/3 + 9/3).
  EXPECT_NEAR(bulk.distance(turned({0, 0, pi}), Rigid3::identity()), std::sqrt(24.0), 1e-12);
  // About x only y moves.
  EXPECT_NEAR(bulk.distance(turned({pi, 0, 0}), Rigid3::identity()), std::sqrt(12.0), 1e-12);
}

TEST(BulkDistance, CountsAreaNotVertices) {
  // The same square, one half of it cut into many pieces along y.
  PointCloud cut;
  for (int i = 0; i <= 100; ++i) {
    cut.positions.push_back({-3, -3 + 0.06 * i, 0});
    cut.positions.push_back({0, -3 + 0.06 * i, 0});
  }
  cut.positions.push_back({3, -3, 0});
  cut.positions.push_back({3, 3, 0});
  for (std::uint32_t i = 0; i < 100; ++i) cut.faces.add({2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2});
  cut.faces.add({1, 202, 203, 201});
  const BulkDistance bulk = bulk_distance(cut, {});
  EXPECT_NEAR(bulk.distance(turned({0, 0, pi}), Rigid3::identity()), std::sqrt(24.0), 1e-10);
}

TEST(BulkDistance, IsNothingBetweenSymmetricPoses) {
  io::BopObject square_object;
  for (int quarter = 1; quarter < 4; ++quarter) {
    square_object.discrete.push_back(turned({0, 0, quarter * pi / 2}));
  }
  const BulkDistance bulk = bulk_distance(square(3), square_object);
  EXPECT_NEAR(bulk.distance(turned({0, 0, pi / 2}), Rigid3::identity()), 0, 1e-7);
  EXPECT_NEAR(bulk.distance(at(1, 0, 0) * turned({0, 0, pi}), Rigid3::identity()), 1, 1e-7);
  EXPECT_GT(bulk.distance(turned({0, 0, pi / 4}), Rigid3::identity()), 1);
}

TEST(BulkDistance, OfARodIsThatOfItsAxis) {
  const PointCloud rod = test::rod_mesh(30, 80, 200);
  io::BopObject object;
  object.continuous = {{{0, 0, 1}, {0, 0, 17}}};
  const BulkDistance one_way = bulk_distance(rod, object);
  EXPECT_NEAR(one_way.diameter, 100, 1e-9) << "√(30² + 40²) about the middle";
  EXPECT_NEAR(one_way.distance(turned({0, 0, 1.234}), Rigid3::identity()), 0, 1e-6);
  EXPECT_GT(one_way.distance(turned({pi, 0, 0}), Rigid3::identity()), 30);
  object.discrete = {turned({pi, 0, 0})};
  const BulkDistance either_way = bulk_distance(rod, object);
  EXPECT_NEAR(either_way.distance(turned({pi, 0, 0}) * turned({0, 0, 0.4}), Rigid3::identity()), 0, 1e-6);
  EXPECT_NEAR(either_way.distance(at(0, 0, 5) * turned({pi, 0, 0}), Rigid3::identity()), 5, 1e-6);
  object.continuous.push_back({{1, 0, 0}, {}});
  const BulkDistance ball = bulk_distance(rod, object);
  EXPECT_NEAR(ball.distance(turned({0.3, 0.9, -2}), at(0, 2, 0)), 2, 1e-9);
}

TEST(BulkDistance, TurnsAboutWhereTheSymmetryDoes) {
  PointCloud aside = square(3);
  for (Vec3& p : aside.positions) p += Vec3{100, 0, 0};
  io::BopObject object;
  const Mat3 half = exp_so3(Vec3{0, 0, pi});
  object.discrete = {Rigid3{half, {200, 0, 0}}};
  const BulkDistance bulk = bulk_distance(aside, object);
  EXPECT_NEAR(bulk.distance(object.discrete[0], Rigid3::identity()), 0, 1e-6);
  EXPECT_NEAR(bulk.diameter, 2 * std::sqrt(18.0), 1e-9);
}

}  // namespace
}  // namespace dovetail::pose
