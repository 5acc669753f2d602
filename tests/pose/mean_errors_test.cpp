// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/mean_errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "pose/bop_symmetries.h"
#include "support/bop_dataset.h"

namespace dovetail::pose {
namespace {

using test::at;

constexpr double degree = std::numbers::pi / 180;
const std::vector<Vec3> corners = test::box_mesh({40, 60, 80}).positions;
const std::vector<Rigid3> no_symmetry{Rigid3::identity()};

Rigid3 turned(const Vec3& w) { return {exp_so3(w), {}}; }

TEST(Add, IsTheMeanDistance) {
  EXPECT_NEAR(add_error(at(3, 4, 540), at(0, 0, 540), corners), 5, 1e-12);
  // Half a turn about z: every corner is √1300 from the axis.
  const Rigid3 truth = at(0, 0, 540);
  EXPECT_NEAR(add_error(truth * turned({0, 0, std::numbers::pi}), truth, corners), 2 * std::sqrt(1300.0), 1e-10);
}

TEST(Adi, IsTheMeanDistanceToTheNearest) {
  EXPECT_NEAR(adi_error(at(12, 0, 540), at(0, 0, 540), corners), 12, 1e-12);
  // A shift of 35 along x, 40 wide: one side's corners come within 5 of the other's, the other side's go 35.
  EXPECT_NEAR(adi_error(at(35, 0, 540), at(0, 0, 540), corners), (5 + 35) / 2.0, 1e-12);
  const Rigid3 truth = at(0, 0, 540);
  EXPECT_NEAR(adi_error(truth * turned({0, 0, std::numbers::pi}), truth, corners), 0, 1e-10);
}

TEST(Adi, GoesFromTheTruthToTheEstimate) {
  // Two points together and one far off: from the pair to the single, and the other way round, is not the same.
  const std::vector<Vec3> lopsided = {{0, 0, 0}, {1, 0, 0}, {10, 0, 0}};
  // Estimate at 10, 11, 20: from 0 it is 10, from 1 it is 9, from 10 it is 0.
  EXPECT_NEAR(adi_error(at(10, 0, 0), at(0, 0, 0), lopsided), 19 / 3.0, 1e-12);
  // Truth at 10, 11, 20, estimate at 0, 1, 10: 0, 1 and 10.
  EXPECT_NEAR(adi_error(at(0, 0, 0), at(10, 0, 0), lopsided), 11 / 3.0, 1e-12);
}

TEST(Adi, IsExactFarFromTheOrigin) {
  const std::vector<Vec3> rod = test::rod_mesh(30, 80, 100).positions;
  for (int i = 0; i < 10; ++i) {
    const Rigid3 truth{exp_so3(Vec3{0.3 * i, 0.2, 0.1}), {1000, -2000, 5000}};
    const Rigid3 estimate = truth * Rigid3{exp_so3(Vec3{0.01 * i, 0.02, 0.05 * i}), {0.3 * i, 0, 1}};
    double sum = 0;
    for (const Vec3& x : rod) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const Vec3& y : rod) nearest = std::min(nearest, norm(truth * x - estimate * y));
      sum += nearest;
    }
    EXPECT_NEAR(adi_error(estimate, truth, rod), sum / 200, 1e-10) << "the tree's floats must not show";
  }
}

TEST(VertexErrors, AreAboutTheCamerasAxes) {
  const Rigid3 truth{exp_so3(Vec3{1, 2, 0.5}), {10, 20, 600}};
  const Mat3 off = exp_so3(Vec3{0, 0, 3 * degree}) * exp_so3(Vec3{0, -2 * degree, 0}) * exp_so3(Vec3{degree, 0, 0});
  const Rigid3 estimate{off * truth.rotation, truth.translation};
  const VertexError error = vertex_error(estimate, truth, corners, no_symmetry, {});
  EXPECT_NEAR(error.angles[0], degree, 1e-12);
  EXPECT_NEAR(error.angles[1], -2 * degree, 1e-12);
  EXPECT_NEAR(error.angles[2], 3 * degree, 1e-12);
  EXPECT_NEAR(error.angle, rotation_angle(off), 1e-12);
  EXPECT_NEAR(error.distance, add_error(estimate, truth, corners), 1e-12);
  EXPECT_EQ(vertex_error(estimate, truth, corners, no_symmetry, {}, 1.01 * error.distance).distance, error.distance);
  EXPECT_TRUE(std::isinf(vertex_error(estimate, truth, corners, no_symmetry, {}, 0.99 * error.distance).distance));
}

TEST(VertexErrors, AreUpToSymmetry) {
  const Rigid3 truth{exp_so3(Vec3{1, 2, 0.5}), {10, 20, 600}};
  const std::vector<Rigid3> half{Rigid3::identity(), turned({0, 0, std::numbers::pi})};
  const Rigid3 estimate = Rigid3{Mat3::identity(), {0, 6, 8}} * truth * half[1];
  const VertexError plain = vertex_error(estimate, truth, corners, no_symmetry, {});
  EXPECT_NEAR(plain.angle, std::numbers::pi, 1e-7);
  const VertexError error = vertex_error(estimate, truth, corners, half, {});
  EXPECT_NEAR(error.distance, 10, 1e-10);
  EXPECT_NEAR(error.angle, 0, 1e-10);
}

TEST(VertexErrors, OfAFreeTurnAreNothingBetweenItsSteps) {
  io::BopObject object;
  object.continuous = {{{0, 0, 1}, {4, 0, 0}}};
  const std::vector<Rigid3> symmetries = bop_symmetries(object);
  const Rigid3 truth{exp_so3(Vec3{1, 2, 0.5}), {10, 20, 600}};
  const Rigid3 estimate = truth * turn_about(object.continuous[0], 0.5 * degree);  // steps are 1.14°
  EXPECT_GT(vertex_error(estimate, truth, corners, symmetries, {}).angle, 0.4 * degree);
  const VertexError error = vertex_error(estimate, truth, corners, symmetries, object.continuous);
  EXPECT_NEAR(error.angle, 0, 1e-10);
  EXPECT_NEAR(error.distance, 0, 1e-10);
  // A tilt stays.
  const Rigid3 tilted = estimate * turned({2 * degree, 0, 0});
  EXPECT_NEAR(vertex_error(tilted, truth, corners, symmetries, object.continuous).angle, 2 * degree, 1e-4);
}

}  // namespace
}  // namespace dovetail::pose
