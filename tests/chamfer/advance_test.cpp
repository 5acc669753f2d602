// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "methods/chamfer.h"

// The mathematics with made-up sums: no points needed.

namespace dovetail {
namespace {

using Align = chamfer::Align<Similarity2>;
using chamfer::Wants;

chamfer::Params two_stages() {
  chamfer::Params p;
  p.stages = 2;
  p.stage[0] = {3, 5, 2.0, 1e-3};
  p.stage[1] = {4, 5, 1.0, 1e-3};
  return p;
}

/// The state that follows.
Align::State advanced(const chamfer::Params& p, Align::State s, const Align::Sums& sums) {
  Align::advance(p, s, &sums, nullptr);
  return s;
}

Align::State begin(const chamfer::Params& p) { return Align::start(p, Mat3::identity(), {{0, 0}, 10}); }

/// A pass over points that all want to move by `pull` along x.
Align::Sums sums_of(double cost, double pull) {
  Align::Sums s{};
  s.weight = 100;
  s.used = 80;
  s.squared = 80 * 0.25;
  s.kernel = 70;
  s.cost = cost * 100;
  s.gradient = {0, -pull * 70, 0, 0};
  s.hessian = Symmetric<double, 4>::identity();
  s.hessian *= 70;
  return s;
}

TEST(ChamferAdvance, TheFirstPassIsAcceptedAndAStepProposed) {
  const auto p = two_stages();
  const auto s = advanced(p, begin(p), sums_of(0.2, 0.5));
  EXPECT_TRUE(s.accepted);
  EXPECT_EQ(Align::data_index(p, s), 3u);
  EXPECT_DOUBLE_EQ(s.cost, 0.2);
  EXPECT_DOUBLE_EQ(s.used_ratio, 0.8);
  EXPECT_DOUBLE_EQ(s.rmse, 0.5);
  EXPECT_EQ(s.current, Mat3::identity());
  // H = 70, g = −35, in the step frame: a shift by 0.5 of local length, but for the damping.
  EXPECT_NEAR(s.candidate(0, 2), 0.5, 1e-5);
  EXPECT_NEAR(s.step, 0.5, 1e-5);
}

TEST(ChamferAdvance, ABetterCandidateIsTakenAndDampsLess) {
  const auto p = two_stages();
  auto s = advanced(p, begin(p), sums_of(0.2, 0.5));
  const auto candidate = s.candidate;
  const double damping = s.damping;
  s = advanced(p, s, sums_of(0.1, 0.2));
  EXPECT_TRUE(s.accepted);
  EXPECT_EQ(s.current, candidate);
  EXPECT_NEAR(s.damping, 0.1 * damping, 1e-12);
  EXPECT_NEAR(s.candidate(0, 2), candidate(0, 2) + 0.2, 1e-5);
}

TEST(ChamferAdvance, AWorseCandidateIsForgottenAndTheNextStepIsShorter) {
  const auto p = two_stages();
  auto s = advanced(p, begin(p), sums_of(0.2, 0.5));
  const double step = s.step;
  s = advanced(p, s, sums_of(0.3, 9.0));
  EXPECT_FALSE(s.accepted);
  EXPECT_EQ(s.current, Mat3::identity());
  EXPECT_DOUBLE_EQ(s.cost, 0.2);
  EXPECT_LT(s.step, step);
  EXPECT_GT(s.candidate(0, 2), 0);  // the same derivatives, damped
  EXPECT_EQ(s.status, Status::running);
}

TEST(ChamferAdvance, OnlyAnAcceptedShortStepMeansConvergence) {
  const auto p = two_stages();
  auto s = advanced(p, begin(p), sums_of(0.2, 1e-4));
  EXPECT_LT(s.step, p.stage[0].tolerance);
  const auto rejected = advanced(p, s, sums_of(0.3, 1e-4));
  EXPECT_EQ(rejected.stage, 0);
  const auto accepted = advanced(p, s, sums_of(0.1, 1e-4));
  EXPECT_EQ(accepted.stage, 1);
  EXPECT_EQ(Align::data_index(p, accepted), 4u);
  EXPECT_TRUE(accepted.fresh);
  EXPECT_EQ(accepted.status, Status::running);
}

TEST(ChamferAdvance, AWholeStepTooShortToBeSeenInTheCostEndsAStage) {
  const auto p = two_stages();
  auto s = advanced(p, begin(p), sums_of(0.2, 1e-4));
  const auto arrived = advanced(p, s, sums_of(0.2 * (1 + 1e-7), 1e-4));
  EXPECT_FALSE(arrived.accepted);
  EXPECT_EQ(arrived.stage, 1);
  EXPECT_EQ(arrived.candidate, Mat3::identity());
  s.damping = 10;  // the step is short because it was damped
  EXPECT_EQ(advanced(p, s, sums_of(0.2 * (1 + 1e-7), 1e-4)).stage, 0);
}

TEST(ChamferAdvance, AStageEndsWhenNothingHelpsAnyMore) {
  const auto p = two_stages();
  auto s = advanced(p, begin(p), sums_of(0.2, 0.5));
  for (int i = 0; i < p.most_rejected; ++i) {
    EXPECT_EQ(s.stage, 0);
    s = advanced(p, s, sums_of(0.3, 0.5));
  }
  EXPECT_EQ(s.stage, 1);
  EXPECT_EQ(s.candidate, Mat3::identity());
}

TEST(ChamferAdvance, TheLastStageEndsTheRun) {
  auto p = two_stages();
  p.stages = 1;
  auto s = advanced(p, begin(p), sums_of(0.2, 1e-4));
  s = advanced(p, s, sums_of(0.1, 1e-4));
  EXPECT_EQ(s.status, Status::converged);
  auto slow = advanced(p, begin(p), sums_of(0.2, 0.5));
  for (int i = 0; i < 10 && !Align::finished(slow); ++i) {
    slow = advanced(p, slow, sums_of(0.2 - 0.01 * (i + 1), 0.5));
  }
  EXPECT_EQ(slow.status, Status::max_iterations);
  EXPECT_EQ(slow.iteration, 5);
}

TEST(ChamferAdvance, NothingNearAndNothingThereAreTold) {
  const auto p = two_stages();
  auto none = sums_of(1.0 / 3, 0);
  none.used = none.kernel = 0;
  EXPECT_EQ(advanced(p, begin(p), none).status, Status::no_correspondences);
  EXPECT_EQ(advanced(p, begin(p), Align::Sums{}).status, Status::degenerate);
}

TEST(ChamferAdvance, ATransformMustNotShrinkIntoAPoint) {
  auto p = two_stages();
  p.most_growth = 0.1;
  auto sums = sums_of(0.2, 0);
  sums.gradient = {0, 0, 0, 10.0 * 70};  // a step of −1 in the logarithm of the scale
  const auto s = advanced(p, begin(p), sums);
  EXPECT_EQ(s.status, Status::running);
  EXPECT_GE(std::log(s.candidate(0, 0)), -0.1);
  EXPECT_LT(s.candidate(0, 0), 1);
}

TEST(ChamferAdvance, TheTraditionalOrderTakesTheSameSteps) {
  const auto one = two_stages();
  auto two = one;
  two.traditional = true;
  auto a = begin(one), b = begin(two);
  const std::pair<double, double> passes[] = {{0.2, 0.5}, {0.15, 0.3}, {0.18, 0.9}, {0.16, 0.2}, {0.1, 0.1}};
  for (const auto& [cost, pull] : passes) {
    a = advanced(one, a, sums_of(cost, pull));
    auto only_cost = sums_of(cost, pull);
    if (b.wants == Wants::cost) {
      only_cost.gradient = {};
      only_cost.hessian = {};
      only_cost.kernel = 0;
    }
    b = advanced(two, b, only_cost);
    if (b.wants == Wants::derivatives) b = advanced(two, b, sums_of(cost, pull));
    EXPECT_EQ(a.accepted, b.accepted);
    EXPECT_EQ(a.current, b.current);
    EXPECT_EQ(a.candidate, b.candidate);
    EXPECT_EQ(a.iteration, b.iteration);
    EXPECT_EQ(a.damping, b.damping);
  }
}

}  // namespace
}  // namespace dovetail
