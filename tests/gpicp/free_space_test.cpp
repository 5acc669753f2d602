// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/free_space.h"

#include <gtest/gtest.h>

namespace dovetail::test {
namespace {

/// A wall at z = 2 as a sensor at the origin sees it.
PointCloud wall() {
  PointCloud cloud;
  for (int i = -40; i <= 40; ++i) {
    for (int j = -40; j <= 40; ++j) cloud.positions.push_back({0.025 * i, 0.025 * j, 2});
  }
  return cloud;
}

/// How much is seen through where the second wall stands `nearer` to the sensor than the first.
std::optional<double> through(double nearer, bool viewpoint_known = true) {
  const PointCloud target = wall();
  const PointCloud source = wall();
  Prepared prepared = prepare_clouds(source, target, {});
  if (viewpoint_known) prepared.target_view = view_from_origin(*prepared.target, prepared.scale);
  const Transform pose = Rigid3{Mat3::identity(), {0, 0, -nearer}};
  return seen_through(prepared, prepared.to_local(pose));
}

TEST(SeenThrough, is_what_stands_before_a_wall_that_was_seen) {
  EXPECT_EQ(through(0), 0.0);
  EXPECT_EQ(through(-0.5), 0.0);            // behind it: hidden
  EXPECT_LT(through(0.02).value(), 0.001);  // less than a twentieth of the radius
  EXPECT_GT(through(0.5).value(), 0.4);     // the outer points are beside what was seen
}

TEST(SeenThrough, is_not_told_where_nobody_knows_the_viewpoint) { EXPECT_EQ(through(0.5, false), std::nullopt); }

}  // namespace
}  // namespace dovetail::test
