// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/units.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "dovetail/error.h"

namespace dovetail::test {
namespace {

TEST(Units, are_known_by_name) {
  EXPECT_EQ(millimetres_in("--unit", ""), 0);
  EXPECT_EQ(millimetres_in("--unit", "mm"), 1);
  EXPECT_EQ(millimetres_in("--unit", "cm"), 10);
  EXPECT_EQ(millimetres_in("--unit", "m"), 1000);
  EXPECT_EQ(millimetres_in("--unit", "inch"), 25.4);
  try {
    millimetres_in("--unit", "ell");
    ADD_FAILURE() << "an ell is no unit";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "--unit: 'ell' is not allowed; allowed: mm, cm, m, inch");
  }
}

TEST(Units, of_depths_are_told_by_their_median) {
  constexpr float nothing = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(likely_depth_unit(std::vector<float>{0.7f, 0.8f, 900}), 1000);
  EXPECT_EQ(likely_depth_unit(std::vector<float>{19.9f}), 1000);
  EXPECT_EQ(likely_depth_unit(std::vector<float>{20}), 1);
  EXPECT_EQ(likely_depth_unit(std::vector<float>{0, 0, 0, 0, nothing, -1, 700}), 1);  // what is no depth tells nothing
  EXPECT_EQ(likely_depth_unit({}), 1);
}

TEST(Units, of_parts_are_told_by_their_size) {
  PointCloud part;
  EXPECT_EQ(sides_of(part), Vec3{});
  part.positions = {{10, 0, 0}, {10.3, 0.4, 0}};
  EXPECT_NEAR(norm(sides_of(part) - Vec3{0.3, 0.4, 0}), 0, 1e-15);
  EXPECT_EQ(likely_part_unit(part), 1000);
  part.positions.push_back({10, 0, 1.2});
  EXPECT_EQ(likely_part_unit(part), 1);
}

}  // namespace
}  // namespace dovetail::test
