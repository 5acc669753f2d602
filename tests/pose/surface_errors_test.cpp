// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/surface_errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "pose/bop_symmetries.h"
#include "support/bop_dataset.h"

namespace dovetail::pose {
namespace {

using test::at;

const std::vector<Vec3> corners = test::box_mesh({40, 60, 80}).positions;
const std::vector<Rigid3> none{Rigid3::identity()};
const Mat3 k = {250, 0, 160, 0, 250, 120, 0, 0, 1};

Rigid3 turned_about_z(double angle) { return {exp_so3(Vec3{0, 0, angle}), {}}; }

TEST(Mssd, OfAShiftIsItsLength) {
  EXPECT_EQ(mssd(at(12, 0, 540), at(0, 0, 540), corners, none), 12);
  EXPECT_NEAR(mssd(at(3, 4, 552), at(0, 0, 540), corners, none), 13, 1e-12);
}

TEST(Mssd, OfATurnIsTheChordOfTheFarthestVertex) {
  // Half a turn about z: a corner at (20, 30) goes 2 √1300 = 72.11 far. A symmetry of half a turn undoes it.
  const Rigid3 truth = at(5, 6, 500), estimate = truth * turned_about_z(std::numbers::pi);
  EXPECT_NEAR(mssd(estimate, truth, corners, none), 2 * std::sqrt(1300.0), 1e-10);
  const std::vector<Rigid3> half{Rigid3::identity(), turned_about_z(std::numbers::pi)};
  EXPECT_NEAR(mssd(estimate, truth, corners, half), 0, 1e-10);
  // A quarter more: the better of the two leaves a quarter turn, √2 √1300.
  EXPECT_NEAR(mssd(estimate * turned_about_z(std::numbers::pi / 2), truth, corners, half), std::sqrt(2600.0), 1e-10);
}

TEST(Mssd, SymmetriesActInTheObjectsFrame) {
  // Half a turn about the line x = 10 along z takes the origin to (20, 0, 0).
  const io::BopAxis line{{0, 0, 1}, {10, 0, 0}};
  const std::vector<Rigid3> half{Rigid3::identity(), turn_about(line, std::numbers::pi)};
  const Rigid3 truth{exp_so3(Vec3{0.4, -0.3, 0.9}), {1, 2, 500}};
  EXPECT_NEAR(norm(half[1].translation - Vec3{20, 0, 0}), 0, 1e-12);
  EXPECT_NEAR(mssd(truth * half[1], truth, corners, half), 0, 1e-10);
  EXPECT_GT(mssd(half[1] * truth, truth, corners, half), 10);
}

TEST(Mssd, LeavingOffEarlyChangesNothing) {
  io::BopObject object;
  object.continuous = {{{0, 0, 1}, {3, 1, 0}}};
  object.discrete = {Rigid3{exp_so3(Vec3{std::numbers::pi, 0, 0}), {}}};
  const std::vector<Rigid3> symmetries = bop_symmetries(object);
  for (int i = 0; i < 20; ++i) {
    const Rigid3 truth{exp_so3(Vec3{0.1 * i, 1.0 - 0.2 * i, 0.3}), {2.0 * i, -1.0 * i, 500}};
    const Rigid3 estimate{exp_so3(Vec3{0.15 * i, 0.3, 0.1 * i}), {1.5 * i, 3, 505}};
    double space = std::numeric_limits<double>::infinity(), image = space;
    for (const Rigid3& symmetry : symmetries) {
      double worst_space = 0, worst_image = 0;
      for (const Vec3& x : corners) {
        const Vec3 a = estimate * x, b = truth * symmetry * x;
        worst_space = std::max(worst_space, norm(a - b));
        worst_image = std::max(worst_image, 250 * std::hypot(a[0] / a[2] - b[0] / b[2], a[1] / a[2] - b[1] / b[2]));
      }
      space = std::min(space, worst_space);
      image = std::min(image, worst_image);
    }
    EXPECT_NEAR(mssd(estimate, truth, corners, symmetries), space, 1e-9);
    EXPECT_NEAR(mspd(estimate, truth, k, corners, symmetries), image, 1e-9);
    EXPECT_NEAR(mssd(estimate, truth, corners, symmetries, 1.001 * space + 1e-9), space, 1e-9) << "below a limit";
    EXPECT_NEAR(mspd(estimate, truth, k, corners, symmetries, 1.001 * image + 1e-9), image, 1e-9);
    EXPECT_TRUE(std::isinf(mssd(estimate, truth, corners, symmetries, 0.999 * space))) << "beyond it";
    EXPECT_TRUE(std::isinf(mspd(estimate, truth, k, corners, symmetries, 0.999 * image)));
  }
}

TEST(Mspd, IsLargestAtTheNearestVertices) {
  // Corners at z = 500 move by 250 × 12 / 500 pixels, those at 580 by less.
  EXPECT_NEAR(mspd(at(12, 0, 540), at(0, 0, 540), k, corners, none), 6, 1e-12);
  // Along the view: a corner at (20, 30, 500) is seen at (10, 15) pixels from the middle, and at 10 × 500 / 600 there.
  EXPECT_NEAR(mspd(at(0, 0, 640), at(0, 0, 540), k, corners, none), std::hypot(10, 15) / 6, 1e-12);
  const Rigid3 truth = at(0, 0, 540);
  EXPECT_NEAR(mspd(truth * turned_about_z(std::numbers::pi), truth, k, corners, none), 2 * std::hypot(10, 15), 1e-10);
  EXPECT_NEAR(mspd(truth * turned_about_z(std::numbers::pi), truth, k, corners,
                   std::vector<Rigid3>{Rigid3::identity(), turned_about_z(std::numbers::pi)}),
              0, 1e-10);
}

TEST(Mspd, KnowsSkewAndUnequalFocalLengths) {
  const Mat3 odd = {250, 50, 160, 0, 500, 120, 0, 0, 1};
  // A shift of 10 along y at z = 500: 500 × 10 / 500 = 10 pixels down and 50 × 10 / 500 = 1 to the right.
  EXPECT_NEAR(mspd(at(0, 10, 540), at(0, 0, 540), odd, corners, none), std::hypot(10, 1), 1e-10);
}

TEST(Mspd, IsInfiniteWhereAVertexHasNoPlace) {
  EXPECT_EQ(mspd(at(0, 0, 40), at(0, 0, 540), k, corners, none), std::numeric_limits<double>::infinity());
}

TEST(BopSymmetries, AreCountedAsTheBenchmarkDoes) {
  io::BopObject object;
  EXPECT_EQ(bop_symmetries(object).size(), 1u);
  object.discrete = {turned_about_z(std::numbers::pi)};
  ASSERT_EQ(bop_symmetries(object).size(), 2u);
  EXPECT_EQ(bop_symmetries(object)[0].rotation, Mat3::identity());
  object.continuous = {{{0, 1, 0}, {7, 0, 0}}};
  const std::vector<Rigid3> all = bop_symmetries(object);
  ASSERT_EQ(all.size(), 630u);
  EXPECT_EQ(all[0].rotation, Mat3::identity());
  EXPECT_NEAR(rotation_angle(all[1].rotation), 2 * std::numbers::pi / 315, 1e-15);
  // The continuous turn comes after the discrete one: (7, 0, 0) goes to (-7, 0, 0), and then about the line x = 7.
  const Vec3 image = all[315 + 63] * Vec3{7, 0, 0};
  const double angle = 63 * 2 * std::numbers::pi / 315;
  EXPECT_NEAR(norm(image - Vec3{7 - 14 * std::cos(angle), 0, 14 * std::sin(angle)}), 0, 1e-12);
  object.continuous.push_back({{0, 0, 1}, {}});
  EXPECT_EQ(bop_symmetries(object).size(), 1260u) << "the union of two axes, not their products";
}

}  // namespace
}  // namespace dovetail::pose
