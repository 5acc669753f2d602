// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/selection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "spatial/sample_points.h"

namespace dovetail {
namespace {

// A unit cube of points around `center`.
PointCloud cube_at(const Vec3& center, std::size_t count) {
  PointCloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    cloud.positions.push_back(test::uniform_point(40, i).cast<double>() + center);
  }
  return cloud;
}

void add_at_origin(PointCloud& cloud, std::size_t count) { cloud.positions.resize(cloud.size() + count); }

std::size_t dropped_at_origin(const PointCloud& cloud, OriginPoints rule = OriginPoints::automatic) {
  const Selection selection = select_usable(cloud, rule);
  EXPECT_EQ(selection.kept.size() + selection.dropped_at_origin + selection.dropped_non_finite, cloud.size());
  return selection.dropped_at_origin;
}

TEST(Selection, LeavesOutWhatIsNotFinite) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  PointCloud cloud;
  cloud.positions = {{1, 2, 3}, {nan, 0, 0}, {0, -inf, 0}, {0, 0, 1e300}, {4, 5, 6}, {0, 0, nan}};
  const Selection selection = select_usable(cloud);
  EXPECT_EQ(selection.kept, (std::vector<std::uint32_t>{0, 4}));
  EXPECT_EQ(selection.dropped_non_finite, 4u);
  EXPECT_EQ(selection.dropped_at_origin, 0u);
}

TEST(Selection, LeavesOutNumbersThatStandForInfinity) {
  PointCloud cloud = cube_at({1, 2, 3}, 1000);
  cloud.positions[17] = {1, 2, 3.4e38};
  cloud.positions[500] = {-1e10, 0, 0};
  cloud.positions[600] = {1000, 0, 0};  // an outlier, but a place one could have measured
  const Selection selection = select_usable(cloud);
  EXPECT_EQ(selection.dropped_non_finite, 2u);
  EXPECT_EQ(selection.kept.size(), 998u);
}

TEST(Selection, KeepsAnEmptyCloudAndASinglePoint) {
  EXPECT_TRUE(select_usable({}).kept.empty());
  PointCloud one;
  add_at_origin(one, 1);
  EXPECT_EQ(select_usable(one).kept.size(), 1u);
}

TEST(Selection, APartAroundItsOwnOriginKeepsItsPointThere) {
  PointCloud cloud = cube_at({0, 0, 0}, 1000);
  add_at_origin(cloud, 1);
  EXPECT_EQ(dropped_at_origin(cloud), 0u);
  add_at_origin(cloud, 15);  // sixteen may still be a coarse grid
  EXPECT_EQ(dropped_at_origin(cloud), 0u);
  add_at_origin(cloud, 1);
  EXPECT_EQ(dropped_at_origin(cloud), 17u);
}

TEST(Selection, ManyMeansAShareOfALargeCloud) {
  PointCloud cloud = cube_at({0, 0, 0}, 10'000);
  add_at_origin(cloud, 50);
  EXPECT_EQ(dropped_at_origin(cloud), 0u);
  add_at_origin(cloud, 1);
  EXPECT_EQ(dropped_at_origin(cloud), 51u);
}

TEST(Selection, TwoPointsApartFromTheSceneAreMarks) {
  PointCloud cloud = cube_at({0, 0, 2}, 1000);
  add_at_origin(cloud, 1);
  EXPECT_EQ(dropped_at_origin(cloud), 0u);
  add_at_origin(cloud, 1);
  EXPECT_EQ(dropped_at_origin(cloud), 2u);
}

TEST(Selection, TheCornerOfABoxIsNotApart) {
  PointCloud cloud = cube_at({0.5, 0.5, 0.5}, 1000);
  add_at_origin(cloud, 8);
  EXPECT_EQ(dropped_at_origin(cloud), 0u);
}

TEST(Selection, AMeshKeepsItsVertices) {
  PointCloud cone = cube_at({0, 0, 2}, 300);
  add_at_origin(cone, 100);  // its apex, once a triangle
  cone.faces.add({0, 1, 300});
  EXPECT_EQ(dropped_at_origin(cone), 0u);
}

TEST(Selection, TheRuleCanBeGiven) {
  PointCloud cloud = cube_at({0, 0, 0}, 100);
  add_at_origin(cloud, 1);
  EXPECT_EQ(dropped_at_origin(cloud, OriginPoints::drop), 1u);
  add_at_origin(cloud, 500);
  EXPECT_EQ(dropped_at_origin(cloud, OriginPoints::keep), 0u);
}

TEST(Selection, NegativeZeroIsZero) {
  PointCloud cloud = cube_at({0, 0, 2}, 100);
  cloud.positions.insert(cloud.positions.end(), 2, Vec3{-0.0, 0.0, -0.0});
  EXPECT_EQ(dropped_at_origin(cloud), 2u);
}

}  // namespace
}  // namespace dovetail
