// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/pose_distance.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/rotation_group.h"
#include "dovetail/dovetail.h"
#include "symmetry/symmetry_parts.h"

// The laws of the distance, for a part of every kind.

namespace dovetail::test {
namespace {

struct Part {
  PointCloud mesh;
  Symmetry symmetry;
};

/// One of every kind, analysed once.
const std::vector<Part>& parts() {
  static const std::vector<Part> all = [] {
    PointCloud cone = prism(polygon(64, 20), 0, 50);
    for (Vec3& p : cone.positions) p = p[2] > 0 ? Vec3{0.5 * p[0], 0.5 * p[1], p[2]} : p;
    std::vector<Part> list;
    for (const PointCloud& mesh :
         {chiral_part(), prism(l_outline(60), 0, 30, {10, 10}), prism(polygon(6, 30), -8, 8), tetrahedron(), cube(),
          icosahedron(), prism(polygon(64, 20), -45, 45), ball(30, 24), cone}) {
      list.push_back({mesh, find_symmetry(mesh)});
    }
    return list;
  }();
  return all;
}

Rigid3 random_pose(RandomStream& random, double reach) { return {random.rotation(), reach * random.unit_vector()}; }

/// A rotation of the part onto itself, at random.
Rigid3 random_symmetry(const Symmetry& s, RandomStream& random) {
  Mat3 r = s.rotations[random.below(static_cast<std::uint32_t>(s.rotations.size()))].as<Rigid3>().rotation;
  for (const SymmetryAxis& axis : s.axes) {
    if (axis.order == 0) r = turn_about(axis.direction, random.uniform(0, 2 * pi)) * r;
  }
  return {r, s.center - r * s.center};
}

TEST(PoseDistance, IsAMetric) {
  for (const auto& [mesh, s] : parts()) {
    const PoseDistance distance(s);
    for (std::uint64_t i = 0; i < 60; ++i) {
      RandomStream random(11, i);
      const Rigid3 a = random_pose(random, 40), b = random_pose(random, 40), c = random_pose(random, 40);
      EXPECT_NEAR(distance(a, b), distance(b, a), 1e-9 * s.diameter);
      EXPECT_LE(distance(a, c), distance(a, b) + distance(b, c) + 1e-9 * s.diameter) << group_name(s);
      EXPECT_EQ(distance(a, a), 0);
      EXPECT_GT(distance(a, b), 0);
      // Moving the world changes nothing.
      EXPECT_NEAR(distance(c * a, c * b), distance(a, b), 1e-9 * s.diameter);
    }
  }
}

TEST(PoseDistance, DoesNotSeeSymmetries) {
  for (const auto& [mesh, s] : parts()) {
    const PoseDistance distance(s);
    for (std::uint64_t i = 0; i < 60; ++i) {
      RandomStream random(12, i);
      const Rigid3 a = random_pose(random, 40), b = random_pose(random, 40);
      const Rigid3 g = random_symmetry(s, random), h = random_symmetry(s, random);
      EXPECT_LT(distance(a, a * g), 1e-9 * s.diameter) << group_name(s);
      EXPECT_NEAR(distance(a * g, b * h), distance(a, b), 1e-9 * s.diameter) << group_name(s);
    }
  }
}

/// Root mean square over points of the surface, the smallest over the group, a free turn in steps of a tenth of a
/// degree; the points averaged over the group as (4) says, by turning each of them through it.
TEST(PoseDistance, IsTheRootMeanSquareOverTheSurface) {
  for (const auto& [mesh, known] : parts()) {
    Symmetry s = known;
    if (s.kind == SymmetryKind::sphere) continue;
    const bool freely = s.kind >= SymmetryKind::revolution;
    const Vec3 axis = s.axes.empty() ? Vec3{0, 0, 1} : s.axes.front().direction;
    std::vector<Mat3> group;
    for (const Transform& t : s.rotations) {
      for (int i = 0; i < (freely ? 16 : 1); ++i) {
        group.push_back(turn_about(axis, freely ? 2 * pi * i / 16 : 0) * t.as<Rigid3>().rotation);
      }
    }
    std::vector<Vec3> points;
    const Vec3 mean_first = s.center;
    for (const Vec3& p : sampled(mesh, 300, 9, 0).positions) {
      for (const Mat3& g : group) points.push_back(s.center + g * (p - mean_first));
    }
    // These few points stand for the surface: their own covariance, about their own mean, which C1 alone leaves free.
    Vec3 mean{};
    for (const Vec3& p : points) mean += (1.0 / static_cast<double>(points.size())) * p;
    if (s.kind == SymmetryKind::none) s.center = mean;
    if (s.kind == SymmetryKind::cyclic || s.kind == SymmetryKind::revolution) {
      s.center = s.center + dot(mean - s.center, axis) * axis;  // any point of the axis stays
    }
    Mat3 covariance{};
    for (const Vec3& p : points) {
      const Vec3 d = p - s.center;
      covariance += (1.0 / static_cast<double>(points.size())) * (d * transpose(d));
    }
    s.covariance = covariance;
    const PoseDistance distance(s);
    for (std::uint64_t i = 0; i < 4; ++i) {
      RandomStream random(13, i);
      const Rigid3 a = random_pose(random, 20), b = random_pose(random, 20);
      double least = 1e300;
      for (const Transform& t : s.rotations) {
        for (int step = 0; step < (freely ? 3600 : 1); ++step) {
          const Mat3 g = turn_about(axis, freely ? 2 * pi * step / 3600 : 0) * t.as<Rigid3>().rotation;
          const Rigid3 turned = b * Rigid3{g, s.center - g * s.center};
          double sum = 0;
          for (std::size_t k = 0; k < points.size(); k += freely ? 7 : 1) {
            sum += squared_norm(a * points[k] - turned * points[k]);
          }
          const std::size_t used = freely ? (points.size() + 6) / 7 : points.size();
          least = std::min(least, sum / static_cast<double>(used));
        }
      }
      // Free turns are compared on every seventh point: those differ from all by their share of the spread.
      EXPECT_NEAR(distance(a, b), std::sqrt(least), (freely ? 0.02 : 1e-9) * s.diameter) << group_name(s);
    }
  }
}

/// A small turn by w about the centre: every point moves by |w × p|, whatever the symmetry.
TEST(PoseDistance, OfSmallTurnsIsHowFarPointsMove) {
  const Symmetry s = find_symmetry(cube());
  // ∫ x² over the surface of a cube of half side h: 2 faces with h², 4 with h²/3: (2 + 4/3) / 6 h² = 5/9 h².
  const double variance = 5.0 / 9 * 400;
  EXPECT_NEAR(s.covariance(0, 0), variance, 1e-6 * variance);
  const Rigid3 turned = {turn_about({0, 0, 1}, 0.01), {0, 0, 0}};
  // |w × p|² averages 2 variance |w|²; the chord is 2 sin(w/2).
  EXPECT_NEAR(PoseDistance(s)(Rigid3::identity(), turned), 2 * std::sin(0.005) * std::sqrt(2 * variance), 1e-6);
}

TEST(PoseDistance, LargestIsThatOfTheFarthestPoint) {
  const Symmetry s = find_symmetry(cube());
  const PoseDistance distance(s);
  const std::vector<Vec3> corners = cube().positions;
  const Rigid3 shifted = {turn_about({0, 0, 1}, pi / 2), {3, 4, 0}};
  EXPECT_NEAR(distance.largest(Rigid3::identity(), shifted, corners), 5, 1e-6);
  // A turn by 45° about z: a corner, 20 √2 from the axis, moves by its chord either way.
  const Rigid3 eighth = {turn_about({0, 0, 1}, pi / 4), {0, 0, 0}};
  EXPECT_NEAR(distance.largest(Rigid3::identity(), eighth, corners), 2 * 20 * std::sqrt(2.0) * std::sin(pi / 8), 1e-6);
  const Symmetry round = find_symmetry(prism(polygon(64, 20), -45, 45));
  const std::vector<Vec3> rim = prism(polygon(64, 20), -45, 45).positions;
  // Half a step of 315 is left of a free turn: 20 π / 315.
  EXPECT_LT(PoseDistance(round).largest(Rigid3::identity(), {turn_about({0, 0, 1}, 1.0), {0, 0, 0}}, rim), 0.21);
}

}  // namespace
}  // namespace dovetail::test
