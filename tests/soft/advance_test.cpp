// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "methods/soft.h"

// The schedule and the stopping rule, with made-up sums: no points needed.

namespace dovetail {
namespace {

/// The state that follows.
soft::State advance_state(const soft::Params& params, soft::State state, const soft::Sums& sums) {
  soft::advance(params, state, sums);
  return state;
}

using soft::Params;
using soft::State;
using soft::Sums;

/// Points on a tripod and where they are pulled to.
Sums pulled_by(const Vec3& shift, double matched = 1, double rows = 6) {
  Sums sums{};
  for (int a = 0; a < 3; ++a) {
    for (const double side : {-1.0, 1.0}) {
      Vec3 p{};
      p[a] = side;
      sums.moments.add(matched, p, p + shift);
      sums.squared_distance += matched * squared_norm(shift);
    }
  }
  sums.rows = rows;
  return sums;
}

Params plan(double first, double last) {
  Params params;
  params.levels = 1;
  params.level[0].first_sigma = first;
  params.level[0].last_sigma = last;
  params.level[0].tolerance = 1e-3;
  params.level[0].settle = 3;
  params.level[0].max_iterations = 100;
  return params;
}

State begun(const Params& params) {
  State state;
  state.radius = 1;
  return soft::first_state(params, state);
}

TEST(SoftAdvance, AStillPoseLetsSigmaShrinkFastAMovingOneSlowly) {
  const Params params = plan(1, 0.01);
  const auto squared = [&](const Vec3& shift) {
    const double sigma = advance_state(params, begun(params), pulled_by(shift)).sigma;
    return sigma * sigma;
  };
  EXPECT_NEAR(squared({}), 0.5, 1e-12);
  EXPECT_NEAR(squared({0.1, 0, 0}), 0.75, 1e-12);
  EXPECT_NEAR(squared({0.5, 0, 0}), 0.9, 1e-12);
}

TEST(SoftAdvance, AFixedFactorIsKept) {
  Params params = plan(1, 0.01);
  params.level[0].factor = 0.81;
  for (const double shift : {0.0, 0.5}) {
    EXPECT_NEAR(advance_state(params, begun(params), pulled_by({shift, 0, 0})).sigma, 0.9, 1e-12);
  }
}

/// Steps that shrink by a steady ratio come to their limit in a few, not in hundreds.
TEST(SoftAdvance, LongerStepsReachTheLimitSooner) {
  const auto poses_to_the_limit = [](bool accelerate) {
    Params params = plan(0.1, 0.1);
    params.level[0].accelerate = accelerate;
    params.level[0].settle = 1000;
    params.level[0].max_iterations = 1000;
    params.level[0].tolerance = 1e-6;
    State state = begun(params);
    while (state.status == Status::running) {
      // What is seen from a pose: a twentieth of what is left of the way to (1, 0, 0).
      const double at = state.target_from_source.translation[0];
      state = advance_state(params, state, pulled_by({at + (1 - at) / 20, 0, 0}));
    }
    EXPECT_EQ(state.status, Status::converged);
    EXPECT_NEAR(state.target_from_source.translation[0], 1, 1e-4);
    return state.iteration;
  };
  EXPECT_GT(poses_to_the_limit(false), 150);
  EXPECT_LT(poses_to_the_limit(true), 60);
}

TEST(SoftAdvance, SigmaStopsWhereTheMatchesGetWorse) {
  Params params = plan(1, 1e-3);
  params.level[0].quality = 0.85;
  Sums good = pulled_by({}), bad = good;
  good.matched_squares = 0.9 * good.moments.weight;
  bad.matched_squares = 0.7 * bad.moments.weight;
  State state = advance_state(params, begun(params), good);
  const double before = state.sigma;
  EXPECT_LT(before, 1);
  state = advance_state(params, state, bad);
  EXPECT_EQ(state.sigma, before);
  EXPECT_EQ(state.last_sigma, before);
  state = advance_state(params, state, bad);
  EXPECT_EQ(state.status, Status::converged);
}

TEST(SoftAdvance, TheFitFollowsTheVirtualPoints) {
  const Params params = plan(1, 0.01);
  const State next = advance_state(params, begun(params), pulled_by({0.1, 0.2, 0.3}));
  EXPECT_NEAR(next.target_from_source.translation[2], 0.3, 1e-12);
  EXPECT_NEAR(next.motion, norm(Vec3{0.1, 0.2, 0.3}), 1e-9);
  EXPECT_NEAR(next.rmse, norm(Vec3{0.1, 0.2, 0.3}), 1e-12);
  EXPECT_DOUBLE_EQ(next.used_ratio, 1);
  EXPECT_EQ(next.iteration, 1);
}

TEST(SoftAdvance, ConvergesOnlyAtTheLastSigma) {
  const Params params = plan(1, 0.1);
  State state = begun(params);
  int passes = 0;
  while (state.status == Status::running) state = advance_state(params, state, pulled_by({})), ++passes;
  EXPECT_EQ(state.status, Status::converged);
  EXPECT_EQ(passes, 8);  // 1, 0.71, 0.5, 0.35, 0.25, 0.18, 0.13, 0.1
  EXPECT_DOUBLE_EQ(state.pass_sigma, 0.1);
}

TEST(SoftAdvance, APoseThatNeverStandsStillFinishesTheSchedule) {
  const Params params = plan(0.1, 0.1);
  State state = begun(params);
  while (state.status == Status::running) {
    // The virtual points run away: each update moves as far as the one before.
    const Vec3 ahead = state.target_from_source.translation + Vec3{0.01, 0, 0};
    state = advance_state(params, state, pulled_by(ahead));
  }
  EXPECT_EQ(state.status, Status::schedule_finished);
  EXPECT_EQ(state.iteration, 4);  // the three to settle, and one that says it did not
}

TEST(SoftAdvance, IterationsRunOut) {
  Params params = plan(1, 1e-6);
  params.level[0].max_iterations = 7;
  State state = begun(params);
  while (state.status == Status::running) state = advance_state(params, state, pulled_by({}));
  EXPECT_EQ(state.status, Status::max_iterations);
  EXPECT_EQ(state.iteration, 7);
}

TEST(SoftAdvance, NothingMatchedIsNoCorrespondence) {
  const Params params = plan(1, 0.1);
  EXPECT_EQ(advance_state(params, begun(params), pulled_by({}, 1e-9)).status, Status::no_correspondences);
  EXPECT_EQ(advance_state(params, begun(params), Sums{}).status, Status::no_correspondences);
}

TEST(SoftAdvance, ALineIsDegenerate) {
  const Params params = plan(1, 0.1);
  Sums sums{};
  for (int i = 0; i < 5; ++i) sums.moments.add(1, Vec3{double(i), 0, 0}, Vec3{double(i), 0, 0});
  sums.rows = 5;
  EXPECT_EQ(advance_state(params, begun(params), sums).status, Status::degenerate);
}

TEST(SoftAdvance, TurnsComeBeforeThePose) {
  Params params = plan(1, 0.1);
  params.sweeps = 2;
  State state = begun(params);
  for (const bool over_target : {false, true, false, true, false}) {
    EXPECT_EQ(soft::over_target(state), over_target);
    EXPECT_EQ(state.iteration, 0);
    state = advance_state(params, state, pulled_by({}));
  }
  EXPECT_EQ(state.iteration, 1);
  EXPECT_EQ(state.pass, 0);
}

TEST(SoftAdvance, AScaleIsHeldWhileSigmaIsWide) {
  Params params = plan(1, 0.1);
  params.model.estimate_scale = true;
  params.scale_sigma = 0.5;
  Sums sums{};
  for (int a = 0; a < 3; ++a) {
    for (const double side : {-1.0, 1.0}) {
      Vec3 p{};
      p[a] = side;
      sums.moments.add(1, p, 0.3 * p);
    }
  }
  sums.rows = 6;
  State state = begun(params);
  state.target_from_source.scale = 1.5;
  EXPECT_DOUBLE_EQ(advance_state(params, state, sums).target_from_source.scale, 1.5);
  state.sigma = 0.4;
  EXPECT_NEAR(advance_state(params, state, sums).target_from_source.scale, 0.3, 1e-12);
}

TEST(SoftAdvance, TheOutlierWeightFollowsTheExpectedOverlap) {
  Params params = plan(1, 0.1);
  params.overlap = 0.5;
  const State state = begun(params);
  EXPECT_GT(advance_state(params, state, pulled_by({}, 0.9)).log_overlap_gain, 0);
  EXPECT_LT(advance_state(params, state, pulled_by({}, 0.1)).log_overlap_gain, 0);
  EXPECT_NEAR(advance_state(params, state, pulled_by({}, 0.5)).log_overlap_gain, 0, 1e-12);
}

TEST(SoftAdvance, LevelsFollowEachOther) {
  Params params = plan(1, 0.5);
  params.levels = 2;
  params.level[1] = params.level[0];
  params.level[1].first_sigma = 0.5, params.level[1].last_sigma = 0.25;
  State state = begun(params);
  while (state.level == 0) state = advance_state(params, state, pulled_by({}));
  EXPECT_EQ(state.status, Status::running);
  EXPECT_DOUBLE_EQ(state.sigma, 0.5);
  while (state.status == Status::running) state = advance_state(params, state, pulled_by({}));
  EXPECT_EQ(state.status, Status::converged);
  EXPECT_DOUBLE_EQ(state.pass_sigma, 0.25);
}

}  // namespace
}  // namespace dovetail
