// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "icp/made_up.h"
#include "support/poses.h"

// When advance changes the scale, the level and the status; no points needed.

namespace dovetail {
namespace {

using namespace test;

const icp::PlaneSums still = step_sums({0, 0, 0}, {0, 0, 0});
const icp::PlaneSums moving = step_sums({0.01, 0, 0}, {0, 0.02, 0});

icp::Params annealing() {
  icp::Params params = one_level();
  params.level[0].first_scale = 1.0;
  params.level[0].last_scale = 0.01;
  params.level[0].first_flatness = 1.0;
  params.level[0].last_flatness = 1e-4;
  params.level[0].anneal = 4;
  params.level[0].tolerance = 1e-3;
  return params;
}

TEST(AdvanceSchedule, ScaleAndFlatnessFallGeometricallyAndThenStay) {
  const icp::Params params = annealing();
  icp::State state = first(params);
  for (int i = 0; i < 8; ++i) {
    const double done = std::min(1.0, i / 4.0);
    EXPECT_NEAR(state.kernel_scale, std::pow(0.01, done), 1e-15) << i;
    EXPECT_NEAR(state.flatness, std::pow(1e-4, done), 1e-15) << i;
    EXPECT_NEAR(state.max_distance, 3 * state.kernel_scale, 1e-15) << i;
    EXPECT_EQ(state.iteration, i);
    state = advance_state(params, state, moving, eight_pairs().data());
  }
}

TEST(AdvanceSchedule, ReachIsAFactorOfTheScale) {
  icp::Params params = annealing();
  params.level[0].reach = 7;
  EXPECT_DOUBLE_EQ(first(params).max_distance, 7.0);
}

TEST(AdvanceSchedule, TheCallersMaximumDistanceOnlyNarrows) {
  icp::Params params = annealing();
  params.max_distance = 0.5;
  icp::State state = first(params);
  EXPECT_DOUBLE_EQ(state.max_distance, 0.5);
  for (int i = 0; i < 4; ++i) state = advance_state(params, state, moving, eight_pairs().data());
  EXPECT_NEAR(state.max_distance, 0.03, 1e-15);
}

TEST(AdvanceSchedule, ANarrowStartLimitsTheScale) {
  const icp::Params params = annealing();
  icp::State state;
  state.radius = 1;
  state.widest_scale = 0.2;
  state = icp::first_state(params, state);
  EXPECT_DOUBLE_EQ(state.kernel_scale, 0.2);
  for (int i = 0; i < 3; ++i) state = advance_state(params, state, moving, eight_pairs().data());
  EXPECT_NEAR(state.kernel_scale, std::pow(0.01, 0.75), 1e-15);
}

TEST(AdvanceSchedule, ConvergesOnlyAfterAnnealing) {
  const icp::Params params = annealing();
  icp::State state = first(params);
  for (int i = 0; i < 4; ++i) {
    state = advance_state(params, state, still, eight_pairs().data());
    EXPECT_EQ(state.status, Status::running) << "iteration " << i << " of four that anneal";
  }
  state = advance_state(params, state, still, eight_pairs().data());
  EXPECT_EQ(state.status, Status::converged);
  EXPECT_EQ(state.iteration, 5);
}

TEST(AdvanceSchedule, TheToleranceBoundsTheMotionOfTheFarthestPoint) {
  icp::Params params = one_level();
  params.level[0].tolerance = 0.0100001;
  const auto ended = [&](const Vec3& turn, const Vec3& shift, double radius) {
    const icp::State state = first(params, radius);
    return advance_state(params, state, step_sums(turn, shift), eight_pairs().data()).status;
  };
  EXPECT_EQ(ended({0, 0, 0}, {0, 0.01, 0}, 1), Status::converged);
  EXPECT_EQ(ended({0, 0, 0}, {0, 0.011, 0}, 1), Status::running);
  EXPECT_EQ(ended({0.01, 0, 0}, {0, 0, 0}, 1), Status::converged);
  EXPECT_EQ(ended({0.01, 0, 0}, {0, 0, 0}, 1.1), Status::running) << "the same turn moves a larger source farther";
  EXPECT_EQ(ended({0.006, 0, 0}, {0, 0.006, 0}, 1), Status::running) << "turn and shift add up";
}

TEST(AdvanceSchedule, EndsAfterTheLastIteration) {
  const icp::Params params = one_level(3);
  icp::State state = first(params);
  for (int i = 0; i < 2; ++i) {
    state = advance_state(params, state, moving, eight_pairs().data());
    ASSERT_EQ(state.status, Status::running);
  }
  state = advance_state(params, state, moving, eight_pairs().data());
  EXPECT_EQ(state.status, Status::max_iterations);
  EXPECT_EQ(state.iteration, 3);
}

TEST(AdvanceSchedule, ASettledOrSpentLevelGivesWayToTheNext) {
  icp::Params params = annealing();
  params.levels = 2;
  params.level[1] = params.level[0];
  params.level[1].first_scale = params.level[1].last_scale = 0.25;
  params.level[0].max_iterations = 6;
  icp::State state = first(params);
  for (int i = 0; i < 5; ++i) state = advance_state(params, state, still, eight_pairs().data());
  EXPECT_EQ(state.status, Status::running);
  EXPECT_EQ(state.level, 1u) << "settled after the fifth";
  EXPECT_EQ(state.level_iteration, 0);
  EXPECT_EQ(state.iteration, 5);
  EXPECT_DOUBLE_EQ(state.kernel_scale, 0.25);

  state = first(params);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(state.level, 0u);
    state = advance_state(params, state, moving, eight_pairs().data());
  }
  EXPECT_EQ(state.level, 1u) << "spent after the sixth";
  EXPECT_EQ(state.status, Status::running);
}

/// A run may end at a level a state has already passed: that ends the state, and leads to no level that is not there.
TEST(AdvanceSchedule, AStateBeyondTheLastLevelEnds) {
  icp::Params params = one_level(1);
  params.level[1] = params.level[2] = params.level[0];
  icp::State state;
  state.radius = 1;
  state.level = 1;
  state = advance_state(params, icp::first_state(params, state), moving, eight_pairs().data());
  EXPECT_EQ(state.status, Status::max_iterations);
  EXPECT_EQ(state.level, 1u);
}

TEST(AdvanceSchedule, TooFewPairsAreNoCorrespondencesAndMoveNothing) {
  for (const int dimension : {2, 3}) {
    icp::Params params = one_level();
    params.dimension = dimension;
    const icp::State state = first(params);
    const auto advanced = [&](double pairs) {
      return advance_state(params, state, step_sums({0, 0, 0.1}, {0.1, 0, 0}, pairs), eight_pairs().data());
    };
    EXPECT_EQ(advanced(0).status, Status::no_correspondences);
    EXPECT_EQ(advanced(dimension - 1).status, Status::no_correspondences);
    EXPECT_EQ(advanced(dimension - 1).target_from_source.matrix(), Mat4::identity());
    EXPECT_EQ(advanced(dimension).status, Status::running);
  }
}

TEST(AdvanceSchedule, EquationsThatHoldNothingAreDegenerate) {
  const icp::Params params = one_level();
  icp::PlaneSums planes{};
  planes.tally = {1, 100, 100};
  const icp::State state = advance_state(params, first(params), planes, eight_pairs().data());
  EXPECT_EQ(state.status, Status::degenerate);
  EXPECT_EQ(state.target_from_source.matrix(), Mat4::identity());
}

TEST(AdvanceSchedule, PairsOnALineAreDegenerateForPoints) {
  icp::PointSums line{};
  for (int i = 0; i < 5; ++i) line.moments.add(1, Vec3{0.1 * i, 0, 0}, Vec3{0.1 * i, 0.1, 0});
  line.tally = {0.05, 5, 5};
  icp::Params params = one_level();
  EXPECT_EQ(advance_state(params, first(params), line, eight_pairs().data()).status, Status::degenerate);
  params.dimension = 2;
  EXPECT_EQ(advance_state(params, first(params), line, eight_pairs().data()).status, Status::running)
      << "a line determines a motion of the plane";
}

TEST(AdvanceSchedule, ReportsTheDistanceAndShareOfThePairsUsed) {
  const icp::Params params = one_level();
  const Histogram histogram = Histogram().distances(0.2, 30).nothing_near(10);
  const icp::State state = advance_state(params, first(params), step_sums({}, {}, 20), histogram.data());
  EXPECT_DOUBLE_EQ(state.used_ratio, 0.5);
  EXPECT_DOUBLE_EQ(state.rmse, 0.2);
}

TEST(AdvanceSchedule, IsPure) {
  const icp::Params params = annealing();
  const icp::State state = first(params);
  const Histogram histogram = eight_pairs();
  const icp::State once = advance_state(params, state, moving, histogram.data());
  const icp::State again = advance_state(params, state, moving, histogram.data());
  EXPECT_TRUE(same_bits(once.target_from_source, again.target_from_source));
  EXPECT_TRUE(same_bits(once.kernel_scale, again.kernel_scale));
  EXPECT_TRUE(same_bits(once.motion, again.motion));
  EXPECT_EQ(once.iteration, again.iteration);
  EXPECT_EQ(state.iteration, 0) << "the state given is left as it was";
}

}  // namespace
}  // namespace dovetail
