// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "icp/made_up.h"

// What advance reads from the histogram; no points needed. A bin is 25% wide in the squared distance, 12% in distance:
// where a test says which bin a value lies in, it allows that much.

namespace dovetail {
namespace {

using namespace test;
using icp::advance_state;

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

icp::Params robust() {
  icp::Params params = one_level();
  params.level[0].first_scale = 1.0;
  params.level[0].last_scale = 0.5;
  params.level[0].anneal = 2;
  params.level[0].robust_factor = 3;
  params.level[0].least_scale = 0.02;
  return params;
}

double scale_after(int iterations, const Histogram& histogram) {
  const icp::Params params = robust();
  icp::State state = first(params);
  for (int i = 0; i < iterations; ++i) state = advance_state(params, state, moving, histogram.data());
  return state.kernel_scale;
}

TEST(AdvanceTrim, TheScaleFollowsTheMedianResidualOnceAnnealed) {
  // Half of the residuals of a normal distribution of deviation s lie below 0.6745 s.
  const Histogram histogram = Histogram().distances(0.1, 100).residuals(0.6745 * 0.1, 100);
  EXPECT_NEAR(scale_after(1, histogram), std::sqrt(0.5), 1e-15) << "not while annealing";
  EXPECT_GE(scale_after(2, histogram), 3 * 0.1 / bin_width);
  EXPECT_LE(scale_after(2, histogram), 3 * 0.1 * bin_width);
}

TEST(AdvanceTrim, TheRobustScaleStaysBetweenItsLimits) {
  EXPECT_DOUBLE_EQ(scale_after(2, Histogram().distances(0.1, 100).residuals(1e-5, 100)), 0.02);
  EXPECT_DOUBLE_EQ(scale_after(2, Histogram().distances(0.1, 100).residuals(0.9, 100)), 0.5);
}

TEST(AdvanceTrim, FewLargeResidualsDoNotMoveTheRobustScale) {
  const Histogram clean = Histogram().distances(0.1, 100).residuals(0.05, 1000);
  const Histogram spoilt = Histogram().distances(0.1, 100).residuals(0.05, 1000).residuals(0.9, 400);
  EXPECT_NEAR(scale_after(2, spoilt), scale_after(2, clean), 0.12 * scale_after(2, clean));
}

}  // namespace
}  // namespace dovetail
