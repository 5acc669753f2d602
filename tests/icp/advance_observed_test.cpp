// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "icp/made_up.h"
#include "support/poses.h"

// Which pose advance goes to where the pose was also observed by itself; no points needed.

namespace dovetail {
namespace {

using namespace test;

/// Rounding of poses and of six equations whose numbers differ by up to a thousand.
constexpr double rounding = 1e-12;

class AdvanceObserved : public testing::Test {
 protected:
  AdvanceObserved() {
    params.pair_variance = 0.5;
    for (int i = 0; i < 6; ++i) params.observed.information(i, i) = i < 3 ? 10 : 4;
  }
  icp::State advanced(const icp::PlaneSums& sums) const {
    const Histogram pairs = Histogram().distances(0.2, 100);
    return advance_state(params, state, sums, pairs.data());
  }
  Vector<double, 6> from_observed(const icp::State& end) const {
    return motion_from(params.observed, end.target_from_source);
  }

  icp::Params params = one_level();
  icp::State state = first(params);
};

/// One unknown: the mean of two measurements, each weighed by the inverse of its variance.
TEST_F(AdvanceObserved, MeetsThePairsWhereBothInformationsBalance) {
  params.observed.pose.translation = {0, 0.03, 0};
  const icp::State end = advanced(step_sums({}, {0, 0.05, 0}));
  const double of_pairs = 6 / 0.5, of_start = 4;  // the fifth unknown's curvature in step_sums() is 6
  const double expected = (of_pairs * 0.05 + of_start * 0.03) / (of_pairs + of_start);
  EXPECT_NEAR(end.target_from_source.translation[1], expected, rounding);
  EXPECT_NEAR(end.target_from_source.translation[0], 0, rounding);
}

TEST_F(AdvanceObserved, GoesWhereItWasObservedAlongWhatPairsDoNotHold) {
  params.pairs_hold.curvature(3, 3) = params.pairs_hold.pull(3, 3) = 0;
  params.observed.pose.translation = {0.04, 0, 0};  // alone, so that one step is exact
  const icp::State end = advanced(step_sums({}, {0.3, 0, 0.05}));
  EXPECT_NEAR(end.target_from_source.translation[0], 0.04, rounding);
}

TEST_F(AdvanceObserved, StaysWherePairsRestIfNothingIsKnown) {
  params.observed.information = {};
  const icp::PlaneSums sums = step_sums({0.1, 0.2, -0.1}, {0.3, 0.1, 0.05});
  params.rest = sums.equations.jtr;  // in another metric they rest here
  EXPECT_LT(advanced(sums).motion, rounding);
}

/// The same motion told about another centre.
TEST_F(AdvanceObserved, TheCentreOfTheStepDoesNotMatter) {
  params.observed.pose = {exp_so3(Vec3{0.02, -0.01, 0.03}), {0.03, 0.01, -0.02}, 1};
  params.observed.center = {0.4, -0.7, 0.2};
  state.center = {5, -3, 2};
  icp::PlaneSums nothing{};
  nothing.tally = {1, 100, 100};
  for (int i = 0; i < 8; ++i) state = advanced(nothing);
  EXPECT_LT(norm(from_observed(state)), rounding) << "with no say of the pairs it is the observed pose";
}

/// At a distance the gradient is that of the squared distance in deviations, compared with differences.
TEST_F(AdvanceObserved, GradientIsThatOfTheSquaredSigmas) {
  params.observed.pose = {exp_so3(Vec3{0.3, -0.6, 0.4}), {0.3, 0.1, -0.2}, 1};
  params.observed.center = {0.4, -0.7, 0.2};
  params.observed.information(0, 4) = 1.5;
  const Body body{{exp_so3(Vec3{-0.2, 0.1, 0.5}), {0.1, 0.2, 0.3}, 1}, {0.5, 0.3, -0.1}, 1};
  const NormalEquations<6> equations = observation_equations(params.observed, body);
  for (int i = 0; i < 6; ++i) {
    const double h = 1e-5;
    Vector<double, 6> step{};
    const auto at = [&](double amount) {
      step[i] = amount;
      return squared_sigmas(params.observed,
                            Similarity3::from(step_about(body.center, step)) * body.target_from_source);
    };
    EXPECT_NEAR(equations.jtr[i], 0.5 * (at(h) - at(-h)) / (2 * h), 1e-8) << i;  // h² and rounding over h
  }
}

TEST_F(AdvanceObserved, MotionsThatAreHeldStay) {
  params.free = 0b111110;
  params.observed.pose = {exp_so3(Vec3{0.3, 0, 0}), {0, 0, 0.1}, 1};
  const icp::State end = advanced(step_sums({0.2, 0, 0}, {0, 0, 0.1}));
  EXPECT_NEAR(rotation_angle(end.target_from_source.rotation), 0, 0.05) << "the turn about x is neither's to make";
  EXPECT_NEAR(log_so3(end.target_from_source.rotation)[0], 0, rounding);
}

}  // namespace
}  // namespace dovetail
