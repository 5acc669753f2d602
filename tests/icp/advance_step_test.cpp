// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "icp/made_up.h"
#include "support/poses.h"
#include "support/tolerances.h"

// Which pose advance goes to; no points needed.

namespace dovetail {
namespace {

using namespace test;

/// The largest entry of the difference of two poses.
double difference(const Similarity3& a, const Similarity3& b) {
  double largest = 0;
  const Mat4 d = a.matrix() - b.matrix();
  for (int i = 0; i < 16; ++i) largest = std::max(largest, std::abs(d[i]));
  return largest;
}

const Similarity3 known{exp_so3(Vec3{0.3, -0.2, 0.5}), {0.1, -0.3, 0.2}, 1.0};

TEST(AdvanceStep, PointMomentsGiveTheExactMotionInOneStep) {
  const icp::Params params = one_level();
  const icp::State next = advance_state(params, first(params), moved_box(known), eight_pairs().data());
  EXPECT_LT(difference(next.target_from_source, known), 1e-14);
}

TEST(AdvanceStep, PlanarPairsDetermineAMotionOfSpace) {
  const icp::Params params = one_level();
  const icp::State next = advance_state(params, first(params), moved_box(known, true), eight_pairs().data());
  EXPECT_EQ(next.status, Status::running);
  EXPECT_LT(difference(next.target_from_source, known), 1e-14);
}

TEST(AdvanceStep, ScaleIsEstimatedOnlyWhenAsked) {
  icp::Params params = one_level();
  Similarity3 larger = known;
  larger.scale = 1.7;
  EXPECT_DOUBLE_EQ(
      advance_state(params, first(params), moved_box(larger), eight_pairs().data()).target_from_source.scale, 1.0);
  params.estimate_scale = true;
  const icp::State next = advance_state(params, first(params), moved_box(larger), eight_pairs().data());
  EXPECT_LT(difference(next.target_from_source, larger), 1e-14);
}

TEST(AdvanceStep, MotionsOfThePlaneStayInIt) {
  for (const unsigned mask : {0b1111111u, 0b0011100u}) {  // as the method knows it, and as a plan of 2D clouds sets it
    icp::Params params = one_level();
    params.dimension = 2;
    params.free = mask;
    const Similarity3 turn{exp_so3(Vec3{0, 0, 0.4}), {0.2, -0.1, 0}, 1.0};
    icp::State state = first(params);
    // Gauss-Newton on fixed pairs converges quadratically: from 0.4 rad to rounding in six steps.
    for (int i = 0; i < 8; ++i) {
      icp::PointSums sums = moved_box(turn, true);
      state = advance_state(params, state, sums, eight_pairs().data());
    }
    EXPECT_LT(difference(state.target_from_source, turn), 1e-12) << "mask " << mask;
    EXPECT_EQ(state.target_from_source.rotation(2, 2), 1.0);
    EXPECT_EQ(state.target_from_source.translation[2], 0.0);
  }
}

TEST(AdvanceStep, ScaleInThePlane) {
  icp::Params params = one_level();
  params.dimension = 2;
  params.estimate_scale = true;
  const Similarity3 larger{exp_so3(Vec3{0, 0, 0.4}), {0.2, -0.1, 0}, 1.3};
  const icp::State next = advance_state(params, first(params), moved_box(larger, true), eight_pairs().data());
  EXPECT_LT(difference(next.target_from_source, larger), 1e-13);
}

TEST(AdvanceStep, NormalEquationsAreSolvedAboutTheCentre) {
  const icp::Params params = one_level();
  icp::State state = first(params);
  state.center = {0.4, -0.1, 0.3};
  const Vec3 turn{0.1, -0.2, 0.05}, shift{0.01, 0.02, -0.03};
  const icp::State next = advance_state(params, state, step_sums(turn, shift), eight_pairs().data());
  EXPECT_LT(norm(next.target_from_source * state.center - (state.center + shift)), 1e-15);
  EXPECT_LT(norm(log_so3(next.target_from_source.rotation) - turn), 1e-14);
}

TEST(AdvanceStep, StepsComposeOnTheLeft) {
  const icp::Params params = one_level();
  icp::State state = first(params);
  state.target_from_source = known;
  const Vec3 turn{0.1, -0.2, 0.05}, shift{0.01, 0.02, -0.03};
  const icp::State next = advance_state(params, state, step_sums(turn, shift), eight_pairs().data());
  const Similarity3 step = next.target_from_source * known.inverse();
  EXPECT_LT(norm(log_so3(step.rotation) - turn), 1e-14);
  EXPECT_LT(norm(step.translation - shift), 1e-14);
}

TEST(AdvanceStep, HeldMotionsNeverMove) {
  for (unsigned mask = 1; mask < 64; ++mask) {
    icp::Params params = one_level();
    params.free = mask;
    const icp::State next =
        advance_state(params, first(params), step_sums({0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}), eight_pairs().data());
    const Vec3 turn = log_so3(next.target_from_source.rotation), shift = next.target_from_source.translation;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(turn[i], (mask >> i & 1u) != 0 ? 0.1 * (i + 1) : 0.0, 1e-14) << mask;
      EXPECT_NEAR(shift[i], (mask >> (3 + i) & 1u) != 0 ? 0.1 * (i + 1) : 0.0, 1e-14) << mask;
    }
  }
}

TEST(AdvanceStep, HeldMotionsNeverMoveWithPointMomentsEither) {
  icp::Params params = one_level();
  params.free = 0b0111000;  // shifts alone
  icp::State state = first(params);
  for (int i = 0; i < 5; ++i) state = advance_state(params, state, moved_box(known), eight_pairs().data());
  EXPECT_EQ(state.target_from_source.rotation, Mat3::identity());
  // The best shift takes the mean of the sources to that of their targets.
  const Moments m = moved_box(known).moments;
  EXPECT_LT(norm(state.target_from_source.translation - (m.target_mean() - m.source_mean())), 1e-14);

  params.free = 0b0000100;  // the turn about z alone, about the centre
  state = first(params);
  state.center = {0.2, 0.1, 0};
  for (int i = 0; i < 5; ++i) state = advance_state(params, state, moved_box(known), eight_pairs().data());
  EXPECT_LT(norm(state.target_from_source * state.center - state.center), held_motion);
  EXPECT_NEAR(state.target_from_source.rotation(2, 2), 1.0, held_motion);
}

/// The terms of a pass are products in float: pairs on a line are one only up to that rounding.
TEST(AdvanceStep, PairsOnALineAreDegenerateThoughTheirTermsAreRounded) {
  const auto rounded = [](double x) { return static_cast<double>(static_cast<float>(x)); };
  icp::PointSums sums{};
  for (int i = 0; i < 40; ++i) {
    const double along = 0.01 * i - 0.17;
    const Vec3 p{rounded(0.3 + 0.6 * along), rounded(-0.2 + 0.7 * along), rounded(0.1 - 0.39 * along)};
    const Vec3 q{rounded(p[0] + 0.003), rounded(p[1] - 0.002), rounded(p[2] + 0.001)};
    Moments one{};
    one.add(1.0, p, q);
    for (int k = 0; k < Moments::size; ++k) as_doubles(sums.moments)[k] += rounded(as_doubles(one)[k]);
  }
  sums.tally = {0.05, 40, 40};
  const icp::Params params = one_level();
  EXPECT_EQ(advance_state(params, first(params), sums, eight_pairs().data()).status, Status::degenerate);
}

TEST(AdvanceStep, DirectionsTheEquationsLeaveFreeDoNotMove) {
  icp::PlaneSums plane = step_sums({0.1, 0.2, 0.3}, {0.1, 0.2, 0.3});
  for (const int i : {2, 3, 4}) {  // a plane z = 0 leaves the turn about z and the shifts along x and y free
    plane.equations.jtj(i, i) = 0;
    plane.equations.jtr[i] = 0;
  }
  const icp::Params params = one_level();
  const icp::State next = advance_state(params, first(params), plane, eight_pairs().data());
  EXPECT_EQ(next.status, Status::running);
  EXPECT_EQ(next.target_from_source.translation[0], 0.0);
  EXPECT_EQ(next.target_from_source.translation[1], 0.0);
  EXPECT_NEAR(next.target_from_source.translation[2], 0.3, 1e-15);
}

TEST(AdvanceStep, AStepBeyondTheCloudIsCutShort) {
  const icp::Params params = one_level();
  const double radius = 0.5;
  const icp::State next =
      advance_state(params, first(params, radius), step_sums({0, 0, 3.0}, {2.0, 0, 0}), eight_pairs().data());
  EXPECT_NEAR(next.motion, radius, 1e-14);
  // The direction is kept: shift and turn by the same part, 0.5 / (2 + 0.5 · 3).
  const double part = radius / 3.5;
  EXPECT_NEAR(next.target_from_source.translation[0], 2.0 * part, 1e-14);
  EXPECT_NEAR(log_so3(next.target_from_source.rotation)[2], 3.0 * part, 1e-14);
}

TEST(AdvanceStep, AStepWithinTheCloudIsTakenWhole) {
  const icp::Params params = one_level();
  const icp::State next =
      advance_state(params, first(params, 0.5), step_sums({0, 0, 0.4}, {0.2, 0, 0}), eight_pairs().data());
  EXPECT_NEAR(next.motion, 0.2 + 0.5 * 0.4, 1e-15);
  EXPECT_NEAR(next.target_from_source.translation[0], 0.2, 1e-15);
}

}  // namespace
}  // namespace dovetail
