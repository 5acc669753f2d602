// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/plane_angle.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace dovetail {
namespace {

// What it says of itself.
constexpr double said = 1e-12;

TEST(PlaneAngle, IsThatOfTheLibraryAllTheWayRound) {
  for (int i = -20'000; i <= 20'000; ++i) {
    const double angle = i * (3.14159265 / 20'000);
    ASSERT_NEAR(plane_angle(std::sin(angle), std::cos(angle)), angle, said + 1e-15 * std::fabs(angle)) << angle;
  }
}

TEST(PlaneAngle, LengthDoesNotMatter) {
  RandomStream random(7, 0);
  for (int i = 0; i < 2000; ++i) {
    const double y = random.uniform() - 0.5, x = random.uniform() - 0.5, size = std::exp2(200 * random.uniform() - 100);
    ASSERT_NEAR(plane_angle(size * y, size * x), std::atan2(y, x), said);
  }
}

TEST(PlaneAngle, OfWhatIsNoNumberIsNone) {
  EXPECT_TRUE(std::isnan(plane_angle(NAN, 1)));
  EXPECT_TRUE(std::isnan(plane_angle(1, NAN)));
}

TEST(PlaneAngle, OnTheAxesItIsExactToRounding) {
  EXPECT_EQ(plane_angle(0, 1), 0);
  EXPECT_EQ(plane_angle(0, 0), 0);
  EXPECT_DOUBLE_EQ(plane_angle(1, 0), std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(plane_angle(-1, 0), -std::numbers::pi / 2);
  EXPECT_DOUBLE_EQ(plane_angle(0, -1), std::numbers::pi);
  EXPECT_DOUBLE_EQ(plane_angle(1, 1), std::numbers::pi / 4);
}

}  // namespace
}  // namespace dovetail
