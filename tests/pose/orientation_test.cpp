// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "core/random.h"
#include "core/rotation_group.h"
#include "pose/orientation_clusters.h"
#include "pose/view_samples.h"

namespace dovetail::pose {
namespace {

constexpr double degrees = std::numbers::pi / 180;

Symmetry symmetry_of(SymmetryKind kind, const std::vector<Mat3>& rotations, const Vec3& axis = {0, 0, 1}) {
  Symmetry symmetry;
  symmetry.kind = kind;
  symmetry.rotations.clear();
  for (const Mat3& r : rotations) symmetry.rotations.push_back(Rigid3{r, {}});
  symmetry.axes.push_back({axis, {}, 0});
  return symmetry;
}

/// The angle between rotations by its definition: over all symmetries, free turns in small steps.
double angle_by_trying(const Mat3& a, const Mat3& b, const Symmetry& symmetry, bool free) {
  double least = 10;
  const int steps = free ? 3600 : 1;
  for (const Transform& s : symmetry.rotations) {
    for (int k = 0; k < steps; ++k) {
      const Mat3 turn = exp_so3(2 * std::numbers::pi * k / steps * symmetry.axes.front().direction);
      least = std::min(least, rotation_angle(transpose(a) * b * turn * s.as<Rigid3>().rotation));
    }
  }
  return least;
}

TEST(Orientation, AnglesRespectTheSymmetry) {
  const Vec3 slanted = (1 / std::sqrt(3.0)) * Vec3{1, 1, 1};
  const struct {
    Symmetry symmetry;
    bool free;
  } cases[] = {{Symmetry{}, false},
               {symmetry_of(SymmetryKind::cyclic, cyclic_group(2)), false},
               {symmetry_of(SymmetryKind::dihedral, dihedral_group(6)), false},
               {symmetry_of(SymmetryKind::octahedral, octahedral_group()), false},
               {symmetry_of(SymmetryKind::revolution, cyclic_group(1), slanted), true},
               {symmetry_of(SymmetryKind::revolution_with_flips, dihedral_group(1)), true}};
  for (const auto& each : cases) {
    Symmetry symmetry = each.symmetry;
    if (symmetry.axes.empty()) symmetry.axes.push_back({});
    const OrientationSpace space(symmetry);
    for (std::uint64_t i = 0; i < 20; ++i) {
      RandomStream random(3, i);
      const Mat3 a = random.rotation(), b = random.rotation();
      const auto qa = quaternion_from_matrix(a), qb = quaternion_from_matrix(b);
      const double expected = angle_by_trying(a, b, symmetry, each.free);
      EXPECT_NEAR(space.angle(qa, qb), expected, each.free ? 1e-3 : 1e-9) << to_string(symmetry.kind);
      EXPECT_NEAR(
          angle_of_closeness(static_cast<double>(OrientationSpace::closeness(space.images_of(qa), in_float(qb)))),
          expected, 2e-3);
      // What looks alike is no angle away, and is what it is said to be near to.
      const auto alike = space.nearest_alike(qa, qb);
      EXPECT_NEAR(space.angle(alike, qa), 0, 1e-6);
      EXPECT_NEAR(2 * std::acos(std::min(1.0, dot(alike, qb))), expected, 1e-3);
    }
  }
}

TEST(Orientation, AllOrientationsOfASphereAreOne) {
  const OrientationSpace space(symmetry_of(SymmetryKind::sphere, cyclic_group(1)));
  RandomStream random(5, 0);
  const auto a = quaternion_from_matrix(random.rotation()), b = quaternion_from_matrix(random.rotation());
  EXPECT_NEAR(space.angle(a, b), 0, 1e-6);
  EXPECT_NEAR(OrientationSpace::closeness(space.images_of(a), in_float(b)), 1, 1e-6);
  EXPECT_EQ(cluster_orientations(any_orientation(500, 1), space, {}).centre.size(), 1u);
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

TEST(OrientationClusters, CoverAllOrientationsNearlyAsWellAsCanBe) {
  // Balls that fill all rotations without overlap would have a radius r with N (r - sin r) / π = 1.
  ClusterOptions options;
  options.clusters = 256;
  const OrientationSpace space;
  const OrientationClusters clusters = cluster_orientations(any_orientation(16384, 1), space, options);
  ASSERT_EQ(clusters.centre.size(), 256u);
  const std::vector<double> angles = angles_to_nearest(any_orientation(5000, 2), clusters.centre, space);
  const double ball = 24.2 * degrees;
  EXPECT_NEAR((ball - std::sin(ball)) / std::numbers::pi * 256, 1, 0.02);
  EXPECT_LT(quantile(angles, 0.95), 1.2 * ball);
  EXPECT_GT(quantile(angles, 0.95), 0.9 * ball) << "better than can be: the angles are wrong";
}

TEST(OrientationClusters, SymmetryMakesThemFiner) {
  ClusterOptions options;
  options.clusters = 100;
  const auto samples = any_orientation(6000, 1), fresh = any_orientation(2000, 2);
  const OrientationSpace none, cube(symmetry_of(SymmetryKind::octahedral, octahedral_group()));
  const auto plain = cluster_orientations(samples, none, options),
             symmetric = cluster_orientations(samples, cube, options);
  const double without = quantile(angles_to_nearest(fresh, plain.centre, none), 0.9);
  const double with = quantile(angles_to_nearest(fresh, symmetric.centre, cube), 0.9);
  EXPECT_NEAR(without / with, std::cbrt(24.0), 0.5);
}

TEST(OrientationClusters, AreDenseWhereSamplesAre) {
  // Nine in ten of the parts lie one of two ways, give or take five degrees.
  std::vector<Mat3> resting;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    RandomStream random(7, i);
    const Mat3 lies = exp_so3(Vec3{i % 2 == 0 ? 0.0 : std::numbers::pi / 2, 0, 0});
    const Mat3 shaken = exp_so3(0.09 * random.normal() * random.unit_vector());
    resting.push_back(i % 10 == 9 ? random.rotation() : shaken * lies);
  }
  ClusterOptions options;
  options.clusters = 200;
  const OrientationSpace space;
  const auto fresh = seen_from_above(resting, 4000, 0, 99);
  const auto adaptive = cluster_orientations(seen_from_above(resting, 12800, 0, 1), space, options);
  const auto uniform = cluster_orientations(any_orientation(12800, 1), space, options);
  EXPECT_LT(quantile(angles_to_nearest(fresh, adaptive.centre, space), 0.5),
            0.75 * quantile(angles_to_nearest(fresh, uniform.centre, space), 0.5));
  double sum = 0;
  for (const double share : adaptive.share) sum += share;
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_TRUE(std::is_sorted(adaptive.share.rbegin(), adaptive.share.rend()));
}

TEST(OrientationClusters, FewDifferentSamplesGiveFewCentres) {
  std::vector<Quaternion<double>> samples;
  for (int i = 0; i < 300; ++i) samples.push_back(quaternion_from_matrix(exp_so3(Vec3{0, 0, i % 3 * 1.0})));
  const OrientationSpace space;
  const OrientationClusters clusters = cluster_orientations(samples, space, {});
  ASSERT_EQ(clusters.centre.size(), 3u);
  for (const double angle : angles_to_nearest(samples, clusters.centre, space)) EXPECT_LT(angle, 1e-3);
}

TEST(ViewSamples, AreSeenFromAboveWithinTheCone) {
  const std::vector<Mat3> resting{Mat3::identity()};
  const double cone = 20 * degrees;
  double largest = 0;
  Vec3 mean{};
  for (const auto& q : seen_from_above(resting, 2000, cone, 1)) {
    const Mat3 camera_from_part = matrix_from_quaternion(q);
    // The part's z points up, towards the camera: against the view.
    const Vec3 up = camera_from_part * Vec3{0, 0, 1};
    largest = std::max(largest, std::acos(-up[2]));
    mean += camera_from_part * Vec3{1, 0, 0};
  }
  EXPECT_LT(largest, cone + 1e-9);
  EXPECT_GT(largest, 0.95 * cone);
  EXPECT_LT(norm(mean) / 2000, 0.1) << "the camera may be turned any way";
}

}  // namespace
}  // namespace dovetail::pose
