// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/rotation_group.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "dovetail/error.h"
#include "dovetail/matrix_functions.h"

namespace dovetail {
namespace {

bool holds(const std::vector<Mat3>& group, const Mat3& r) {
  return std::any_of(group.begin(), group.end(), [&](const Mat3& g) { return row_sum_norm(g - r) < 1e-12; });
}

TEST(RotationGroup, IsClosedWithInverses) {
  const std::vector<std::pair<std::vector<Mat3>, std::size_t>> groups = {
      {cyclic_group(1), 1},      {cyclic_group(7), 7},     {dihedral_group(1), 2},    {dihedral_group(6), 12},
      {tetrahedral_group(), 12}, {octahedral_group(), 24}, {icosahedral_group(), 60}, {dihedral_group(31), 62}};
  for (const auto& [group, size] : groups) {
    ASSERT_EQ(group.size(), size);
    EXPECT_EQ(group.front(), Mat3::identity());
    for (const Mat3& a : group) {
      EXPECT_NEAR(determinant(a), 1, 1e-13);
      EXPECT_TRUE(holds(group, transpose(a)));
      for (const Mat3& b : group) EXPECT_TRUE(holds(group, a * b));
    }
  }
}

TEST(RotationGroup, AxesAreCountedOnce) {
  const std::vector<GroupAxis> axes = axes_of(icosahedral_group());
  ASSERT_EQ(axes.size(), 31u);
  for (std::size_t i = 0; i < axes.size(); ++i) EXPECT_EQ(axes[i].order, i < 6 ? 5 : i < 16 ? 3 : 2);
  EXPECT_TRUE(axes_of(cyclic_group(1)).empty());
  EXPECT_EQ(axes_of(dihedral_group(2)).size(), 3u);
}

TEST(RotationGroup, ThatDoesNotCloseIsRefused) {
  EXPECT_THROW(closure(std::vector{turn_about({0, 0, 1}, 1.0)}, 100), InvalidArgument);
}

TEST(RotationGroup, FrameFollowsAxisAndSide) {
  const Mat3 frame = frame_along({0, 3, 0}, {1, 1, 0});
  EXPECT_LT(row_sum_norm(frame - Mat3{1, 0, 0, 0, 0, 1, 0, -1, 0}), 1e-12);
  EXPECT_NEAR(determinant(frame_along({1, 2, 3}, {2, 4, 6})), 1, 1e-12) << "a parallel side";
}

}  // namespace
}  // namespace dovetail
