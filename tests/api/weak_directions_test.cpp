// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "dovetail/registration.h"
#include "support/machines.h"
#include "support/messages.h"
#include "support/poses.h"
#include "support/shapes.h"

// Directions the shape leaves free: a plane slides and spins, a cylinder slides and spins along its axis, a sphere
// turns.

namespace dovetail {
namespace {

using namespace test;

/// Both clouds sample the shape; noise of a ten-thousandth of its size keeps normals from being exact.
Registration registered(const PointCloud& target, const PointCloud& source, Metric metric) {
  Icp icp;
  icp.metric = metric;
  icp.starts = 1;
  auto run = on(Machine::cpu);
  run.start = motion({1, 2, 3}, 0.5, {0.002, 0.001, -0.002});
  return register_points(noisy(source, 1e-4, 5), noisy(target, 1e-4, 6), icp, run);
}

/// How much of a motion lies along the weak directions: 1 when it is one of them. Parts are lengths (rotation ×
/// radius).
double weakness(const Registration& r, const Vec3& rotation, const Vec3& translation) {
  double sum = 0;
  const double size = std::sqrt(squared_norm(rotation) + squared_norm(translation));
  for (const WeakDirection& w : r.weak_directions) {
    const double along = (dot(w.rotation, rotation) + dot(w.translation, translation)) / size;
    sum += along * along;
  }
  return sum;
}

class WeakDirections : public testing::TestWithParam<Metric> {
 protected:
  /// Told as motions that nothing holds, or degenerate where the metric does not hold those directions at all.
  void expect_outcome(const Registration& r, std::size_t directions) {
    ASSERT_EQ(r.weak_directions.size(), directions) << r.message;
    for (const WeakDirection& w : r.weak_directions) {
      EXPECT_NEAR(squared_norm(w.rotation) + squared_norm(w.translation), 1, 1e-9);
    }
    if (GetParam() == Metric::point_to_plane) {
      EXPECT_EQ(r.termination, Termination::degenerate);
      EXPECT_FALSE(r.usable());
      EXPECT_TRUE(r.covariance.empty());
      EXPECT_TRUE(mentions(r.message, std::to_string(directions))) << r.message;
      EXPECT_TRUE(mentions(r.message, "plane_to_plane")) << r.message;
    } else {
      EXPECT_TRUE(mentions(r.message, r.usable() ? "weakly determined" : "the common part does not hold")) << r.message;
    }
    EXPECT_TRUE(is_finite(r.target_from_source));
  }
};
INSTANTIATE_TEST_SUITE_P(Metrics, WeakDirections,
                         testing::Values(Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane),
                         testing::PrintToStringParamName());

TEST_P(WeakDirections, APlaneSlidesAndSpins) {
  const Registration r = registered(plane(5000, 1), plane(5000, 2), GetParam());
  expect_outcome(r, 3);
  const Vec3 n = (1 / std::sqrt(0.3 * 0.3 + 0.2 * 0.2 + 1)) * Vec3{-0.3, 0.2, 1};
  const Vec3 u = (1 / std::sqrt(1.09)) * Vec3{1, 0, 0.3}, v = cross(n, u);
  EXPECT_GT(weakness(r, {}, u), 0.99);
  EXPECT_GT(weakness(r, {}, v), 0.99);
  EXPECT_GT(weakness(r, n, {}), 0.99);
  EXPECT_LT(weakness(r, {}, n), 0.01);
}

TEST_P(WeakDirections, ACylinderSlidesAndSpins) {
  const Registration r = registered(cylinder(6000, 1), cylinder(6000, 2), GetParam());
  expect_outcome(r, 2);
  const Vec3 axis = (1.0 / 3) * Vec3{1, 2, 2};
  EXPECT_GT(weakness(r, {}, axis), 0.98);
  EXPECT_GT(weakness(r, axis, {}), 0.98);
  EXPECT_LT(weakness(r, {}, (1 / std::sqrt(5.0)) * Vec3{2, -1, 0}), 0.02);
}

TEST_P(WeakDirections, ASphereTurns) {
  const Registration r = registered(sphere(6000, 1), sphere(6000, 2), GetParam());
  expect_outcome(r, 3);
  for (int i = 0; i < 3; ++i) {
    Vec3 axis{};
    axis[i] = 1;
    EXPECT_GT(weakness(r, axis, {}), 0.98);
    EXPECT_LT(weakness(r, {}, axis), 0.02);
  }
}

TEST_P(WeakDirections, ShapesThatHoldEveryMotionHaveNone) {
  for (const auto& [target, source] :
       {std::pair{bumpy_surface(5000, 1), bumpy_surface(5000, 2)},
        std::pair{bumpy_sphere(5000, 1), bumpy_sphere(5000, 2)}, std::pair{box_corner(5000, 1), box_corner(5000, 2)}}) {
    const Registration r = registered(target, source, GetParam());
    EXPECT_TRUE(r.weak_directions.empty()) << r.message;
    EXPECT_TRUE(r.usable()) << r.message;
    EXPECT_FALSE(r.covariance.empty());
  }
}

TEST_P(WeakDirections, AHeldMotionIsNotCalledWeak) {
  Icp icp;
  icp.metric = GetParam();
  icp.free = {true, true, false, false, false, true};  // what a plane z = 0 determines
  icp.starts = 1;
  PointCloud target = sample(4000, 1, [](RandomStream& r) { return Vec3{r.uniform(-1, 1), r.uniform(-1, 1), 0}; });
  const Transform truth = motion({1, 0.5, 0}, 2, {0, 0, 0.02});
  const PointCloud source = truth.inverse() * target;
  const Registration r = register_points(source, target, icp, on(Machine::cpu));
  EXPECT_TRUE(r.weak_directions.empty());
  EXPECT_TRUE(r.usable()) << r.message;
}

TEST_P(WeakDirections, ALineOfThePlaneSlides) {
  Icp icp;
  icp.metric = GetParam();
  icp.starts = 1;
  PointCloud target = sample(1000, 1, [](RandomStream& r) { return Vec3{r.uniform(-1, 1), 0, 0}; });
  PointCloud source = sample(1000, 2, [](RandomStream& r) { return Vec3{r.uniform(-1, 1), 0, 0}; });
  target.dimension = source.dimension = 2;
  auto run = on(Machine::cpu);
  run.start = motion2(1, 0.005, 0.01);
  const Registration r = register_points(source, target, icp, run);
  expect_outcome(r, 1);
  EXPECT_GT(weakness(r, {}, {1, 0, 0}), 0.99);
}

}  // namespace
}  // namespace dovetail
