// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/direction_starts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "dovetail/rotation.h"

namespace dovetail::test {
namespace {

constexpr double pi = 3.14159265358979323846;

/// Points on the floor and three walls of a room that is no cube, and on a cupboard in it, seen from inside.
FacingPoints room(std::uint64_t seed, std::size_t count) {
  RandomStream random(seed, 0);
  FacingPoints cloud;
  cloud.one_sided = true;
  const auto add = [&](const Vec3& p, const Vec3& n) {
    gpicp::OrientedPoint point{};
    for (int a = 0; a < 3; ++a) {
      point.point[a] = static_cast<float>(p[a] + 0.002 * random.normal());
      point.normal[a] = static_cast<float>(n[a]);
    }
    cloud.points.push_back(point);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const double u = random.uniform(), v = random.uniform();
    switch (i % 6) {
      case 0:
        add({5 * u, 4 * v, 0}, {0, 0, 1});
        break;
      case 1:
        add({0, 4 * u, 2.5 * v}, {1, 0, 0});
        break;
      case 2:
        add({5, 4 * u, 2.5 * v}, {-1, 0, 0});
        break;
      case 3:
        add({5 * u, 0, 2.5 * v}, {0, 1, 0});
        break;
      case 4:
        add({1.5 + 0.8 * u, 0.5, 1.2 * v}, {0, 1, 0});
        break;
      default:
        add({2.3, 0.5 * u, 1.2 * v}, {1, 0, 0});
    }
  }
  return cloud;
}

FacingPoints moved(FacingPoints cloud, const Similarity3& pose) {
  const FloatPose by(pose);
  for (gpicp::OrientedPoint& p : cloud.points) {
    const gpicp::OrientedPoint before = p;
    by.apply(before.point[0], before.point[1], before.point[2], p.point);
    by.rotate(before.normal[0], before.normal[1], before.normal[2], p.normal);
  }
  return cloud;
}

FacingPoints ball(std::size_t count) {
  RandomStream random(7, 0);
  FacingPoints cloud;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3f n = random.unit_vector().cast<float>();
    cloud.points.push_back({{n[0], n[1], n[2]}, {n[0], n[1], n[2]}});
  }
  return cloud;
}

TEST(DominantDirections, of_a_room_are_its_walls_and_floor) {
  const std::vector<Direction> directions = dominant_directions(room(1, 3000));
  ASSERT_EQ(directions.size(), 4u);
  double share = 0;
  for (const Direction& d : directions) {
    double most = 0;
    for (int a = 0; a < 3; ++a) most = std::max(most, std::fabs(d.normal[a]));
    EXPECT_GT(most, 0.999);
    share += d.share;
  }
  EXPECT_NEAR(share, 1, 1e-9);  // every normal belongs to one of them
  for (std::size_t i = 1; i < 4; ++i) EXPECT_GE(directions[i - 1].share, directions[i].share - 1e-9);
}

TEST(DominantDirections, without_sides_opposite_walls_are_one) {
  FacingPoints cloud = room(1, 3000);
  cloud.one_sided = false;
  EXPECT_EQ(dominant_directions(cloud).size(), 3u);
}

TEST(DominantDirections, a_ball_and_nothing_have_none) {
  EXPECT_TRUE(dominant_directions(ball(3000)).empty());
  EXPECT_TRUE(dominant_directions({}).empty());
}

TEST(RotationsBetween, boxes_are_24_and_each_is_one_of_a_cube) {
  std::vector<Direction> axes;
  for (int a = 0; a < 3; ++a) {
    Direction d{{}, 0.3};
    d.normal[a] = 1;
    axes.push_back(d);
  }
  const std::vector<Mat3> rotations = rotations_between(axes, axes, false, 3, 72);
  EXPECT_EQ(rotations.size(), 24u);
  for (const Mat3& r : rotations) {
    EXPECT_NEAR(determinant(r), 1, 1e-9);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(std::fabs(r[k]) * (1 - std::fabs(r[k])), 0, 1e-9);  // 0, 1 or −1
  }
  EXPECT_EQ(rotations_between(axes, axes, false, 3, 5).size(), 5u);
  EXPECT_TRUE(rotations_between(std::span(axes).first(1), axes, false, 3, 72).empty());  // one holds no rotation
}

TEST(RotationsBetween, in_the_plane_one_direction_is_enough) {
  const std::vector<Direction> from = {{{1, 0, 0}, 0.5}}, onto = {{{0, 1, 0}, 0.5}};
  const std::vector<Mat3> rotations = rotations_between(from, onto, true, 2, 72);
  ASSERT_EQ(rotations.size(), 1u);
  EXPECT_NEAR(norm(rotations[0] * Vec3{1, 0, 0} - Vec3{0, 1, 0}), 0, 1e-12);
  EXPECT_NEAR(rotations[0](2, 2), 1, 1e-12);
  EXPECT_EQ(rotations_between(from, onto, false, 2, 72).size(), 2u);
}

TEST(VotedShifts, most_points_vote_for_the_shift_that_was_made) {
  const FacingPoints target = room(1, 1500);
  const Similarity3 pose{exp_so3(Vec3{0.3, -1.1, 0.7}), {1.5, -0.4, 2.2}, 1.0};
  const FacingPoints source = moved(room(2, 1500), pose.inverse());
  const std::vector<Vec3> shifts = voted_shifts(pose.rotation, source, target, {0.1, 5});
  ASSERT_FALSE(shifts.empty());
  EXPECT_LE(shifts.size(), 5u);
  EXPECT_LT(norm(shifts[0] - pose.translation), 0.1);  // a cell
  EXPECT_TRUE(voted_shifts(pose.rotation, {}, target, {0.1, 5}).empty());
}

TEST(DirectionStarts, one_of_them_is_near_the_truth_wherever_that_is) {
  const FacingPoints target = room(1, 1200);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    RandomStream random(seed, 9);
    const Similarity3 truth{random.rotation(), 3.0 * random.unit_vector(), 1.0};
    for (const bool one_sided : {true, false}) {
      FacingPoints source = moved(room(seed + 10, 1000), truth.inverse()), onto = target;
      source.one_sided = onto.one_sided = one_sided;
      double best = 1e9;
      for (const Similarity3& pose : direction_starts(source, onto, {.cell = 0.1})) {
        const double angle = rotation_angle(pose.rotation * transpose(truth.rotation));
        const Vec3 middle = truth.inverse() * Vec3{2.5, 2, 1};
        best = std::min(best, std::max(angle, norm(pose * middle - truth * middle)));
      }
      EXPECT_LT(best, 0.1) << seed << one_sided;
    }
  }
}

TEST(DirectionStarts, there_are_none_where_nothing_is_flat) {
  EXPECT_TRUE(direction_starts(ball(2000), room(1, 500), {.cell = 0.1}).empty());
}

}  // namespace
}  // namespace dovetail::test
