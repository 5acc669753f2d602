// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "icp/made_up.h"

// What advance reads from the histogram; no points needed. A bin is 25% wide in the squared distance, 12% in distance:
// where a test says which bin a value lies in, it allows that much.

namespace dovetail {
namespace {

using namespace test;

constexpr double bin_width = 1.12;

const icp::PlaneSums moving = step_sums({0.01, 0, 0}, {0, 0.02, 0});

TEST(AdvanceTrim, TheTrimDistanceKeepsTheExpectedShare) {
  icp::Params params = one_level();
  params.overlap = 0.7;
  const Histogram histogram = Histogram().distances(0.01, 60).distances(0.1, 20).distances(0.9, 20);
  const icp::State next = advance_state(params, first(params), moving, histogram.data());
  EXPECT_GE(next.trim_distance, 0.1 / bin_width);
  EXPECT_LE(next.trim_distance, 0.1 * bin_width);
  EXPECT_LT(icp::used_squared(next), icp::search_squared(next)) << "searching on as far as before";
}

TEST(AdvanceTrim, PointsWithNothingNearCountAsTheFarthest) {
  icp::Params params = one_level();
  params.overlap = 0.5;
  const Histogram histogram = Histogram().distances(0.01, 50).nothing_near(50);
  EXPECT_LE(advance_state(params, first(params), moving, histogram.data()).trim_distance, 0.01 * bin_width);
  params.overlap = 0.6;
  const icp::State next = advance_state(params, first(params), moving, histogram.data());
  EXPECT_DOUBLE_EQ(next.trim_distance, next.max_distance) << "the share is not there: the reach alone limits";
}

TEST(AdvanceTrim, NoTrimmingUnlessAsked) {
  const icp::Params params = one_level();
  const icp::State next =
      advance_state(params, first(params), moving, Histogram().distances(0.01, 50).distances(0.9, 50).data());
  EXPECT_EQ(next.trim_distance, 0);
  EXPECT_EQ(icp::used_squared(next), icp::search_squared(next));
}

TEST(AdvanceTrim, ANewLevelBeginsUntrimmed) {
  icp::Params params = one_level(1);
  params.levels = 2;
  params.level[1] = params.level[0];
  params.overlap = 0.5;
  const icp::State next =
      advance_state(params, first(params), moving, Histogram().distances(0.01, 50).distances(0.9, 50).data());
  EXPECT_EQ(next.level, 1u);
  EXPECT_EQ(next.trim_distance, 0) << "its points are others, so the old distances say nothing";
}

}  // namespace
}  // namespace dovetail
