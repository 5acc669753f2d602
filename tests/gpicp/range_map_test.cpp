// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/range_map.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "dovetail/scanner.h"

namespace dovetail::test {
namespace {

/// A wall at z = 2, seen from the origin.
std::vector<Vec3> wall() {
  std::vector<Vec3> points;
  for (int i = -50; i <= 50; ++i) {
    for (int j = -50; j <= 50; ++j) points.push_back({0.02 * i, 0.02 * j, 2});
  }
  return points;
}

TEST(RangeMap, tells_what_is_before_and_behind) {
  const RangeMap map(wall(), {}, 0.02);
  const std::uint32_t cell = map.cell_of({0.1, 0.1, 1});
  ASSERT_NE(cell, RangeMap::no_cell);
  EXPECT_FALSE(map.at(cell).nothing());
  EXPECT_NEAR(map.at(cell).near, 2, 0.02);
  EXPECT_EQ(map.cell_of({5, 5, 1}), RangeMap::no_cell);
  EXPECT_EQ(map.cell_of({0, 0, -1}), RangeMap::no_cell);  // behind the sensor
  EXPECT_TRUE(map.plausible());
}

TEST(RangeMap, is_clear_only_up_to_what_stands_beside) {
  std::vector<Vec3> points = wall();
  for (Vec3& p : points) {
    if (p[0] > 0) p = 0.5 * p;  // one half of the wall is half as far away
  }
  const RangeMap map(points, {}, 0.02);
  // Ranges of the wall there, less what it comes nearer within a cell or two.
  EXPECT_NEAR(map.clear_up_to(map.cell_of({-0.5, 0.1, 1})), norm(Vec3{-1, 0.2, 2}), 0.05);
  EXPECT_NEAR(map.clear_up_to(map.cell_of({0.25, 0.1, 1})), norm(Vec3{0.25, 0.1, 1}), 0.05);
  EXPECT_NEAR(map.clear_up_to(map.cell_of({-0.002, 0, 1})), 1, 0.05);  // beside the edge of the nearer half

  std::erase_if(points, [](const Vec3& p) { return norm(p - Vec3{-0.5, 0, 2}) < 0.2; });
  const RangeMap hole(points, {}, 0.02);
  EXPECT_EQ(hole.clear_up_to(hole.cell_of({-0.25, 0, 1})), 0);  // nobody knows what is in a hole
}

TEST(RangeMap, is_not_plausible_from_where_things_hide_each_other) {
  std::vector<Vec3> two = wall();
  for (const Vec3& p : wall()) two.push_back({p[0], p[1], 3});
  EXPECT_FALSE(RangeMap(two, {}, 0.02).plausible());
  EXPECT_FALSE(RangeMap(wall(), {3, 0, 2.05}, 0.02).plausible());  // along the wall
}

TEST(RangeMap, of_a_scan_is_plausible_from_its_sensor) {
  if (!scanner_available()) GTEST_SKIP() << "built without Embree";
  ScanOptions options;
  options.mesh_from_sensor = look_at({300, 200, 250}, {60, 40, 30});
  std::vector<Vec3> points;
  for (const Vec3& p : scan(built_in_part(), options).positions) {
    if (p[2] == p[2]) points.push_back(p);
  }
  EXPECT_TRUE(RangeMap(points, {}, 0.8).plausible());
}

}  // namespace
}  // namespace dovetail::test
