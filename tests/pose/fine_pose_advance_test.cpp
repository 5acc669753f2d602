// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "methods/fine_pose.h"

// What follows from sums, which are made up here.

namespace dovetail {
namespace {

using fine::FinePose;
using fine::Phase;
using fine::State;
using fine::Sums;

State state_of(int iterations, double tolerance = 0) {
  State s = fine::first_state({Mat3::identity(), {0, 0, 100}}, 6, 2, iterations, tolerance);
  s.count = 100;
  s.radius = 10;
  return s;
}

void advance(State& s, const Sums& sums) { FinePose::advance({}, s, &sums, nullptr); }

/// A hundred points that see planes square to z, `off` beyond them.
Sums planes_along_z(double off) {
  Sums sums{};
  for (int i = -5; i < 5; ++i) {
    for (int j = -5; j < 5; ++j) sums.fit.add(1, {j + 0.5, -i - 0.5, 0, 0, 0, 1}, off);
  }
  return sums;
}

TEST(FinePoseAdvance, TheGateNarrowsFromFirstToLast) {
  State s = state_of(5);
  EXPECT_DOUBLE_EQ(s.gate, 6);
  for (int i = 0; i < 4; ++i) {
    const double before = s.gate;
    advance(s, planes_along_z(0));
    EXPECT_NEAR(s.gate / before, std::pow(2.0 / 6.0, 0.25), 1e-12);
    EXPECT_FALSE(FinePose::finished(s));
  }
  EXPECT_NEAR(s.gate, 2, 1e-12);
  advance(s, planes_along_z(0));
  EXPECT_TRUE(FinePose::finished(s));
  EXPECT_EQ(s.status, Status::schedule_finished);
}

TEST(FinePoseAdvance, OneStepIsAtTheLastGate) { EXPECT_DOUBLE_EQ(state_of(1).gate, 2); }

TEST(FinePoseAdvance, GoesToThePlanesAndNowhereElse) {
  State s = state_of(5);
  advance(s, planes_along_z(0.5));
  // A thousandth is what every motion is held by.
  EXPECT_NEAR(s.camera_from_part.translation[2], 100 - 0.5 / 1.001, 1e-12);
  EXPECT_NEAR(s.camera_from_part.translation[0], 0, 1e-12);
  EXPECT_NEAR(s.camera_from_part.translation[1], 0, 1e-12);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(s.camera_from_part.rotation[i], i % 4 == 0 ? 1 : 0, 1e-12);
}

TEST(FinePoseAdvance, TurnsAboutTheMiddleOfThePoints) {
  State s = state_of(5);
  s.middle = {7, 0, 0};
  Sums sums = planes_along_z(0);
  for (int i = 0; i < 6; ++i) sums.fit.jtr[i] = 0.01 * sums.fit.jtj(i, 0);  // turned by 0.01 about x
  advance(s, sums);
  EXPECT_NEAR(s.camera_from_part.rotation(2, 1), -0.01, 2e-4);  // the hold, a share of 1.2%
  EXPECT_LT(norm(s.camera_from_part * s.middle - Vec3{7, 0, 100}), 1e-12);
}

TEST(FinePoseAdvance, TooFewPointsEndTheFit) {
  Sums few{};
  for (int i = 0; i < 5; ++i) few.fit.add(1, {0, 0, 0, 0, 0, 1}, 1);
  State s = state_of(5), judged = state_of(5, 1);
  advance(s, few), advance(judged, few);
  EXPECT_TRUE(FinePose::finished(s));
  EXPECT_EQ(s.status, Status::no_correspondences);
  EXPECT_EQ(s.camera_from_part.translation[2], 100) << "it stays where it is";
  EXPECT_EQ(judged.phase, Phase::judge);
  advance(judged, Sums{});
  EXPECT_TRUE(FinePose::finished(judged));
  EXPECT_EQ(judged.status, Status::no_correspondences);
  EXPECT_EQ(judged.verdict.unknown, 1);
}

TEST(FinePoseAdvance, WhatTheImageSaysIsToldInShares) {
  State s = state_of(1, 3);
  advance(s, planes_along_z(0));
  ASSERT_EQ(s.phase, Phase::judge);
  Sums sums{};
  sums.explained = 60, sums.hidden = 20, sums.impossible = 15;
  advance(s, sums);
  EXPECT_TRUE(FinePose::finished(s));
  EXPECT_DOUBLE_EQ(s.verdict.explained, 0.6);
  EXPECT_DOUBLE_EQ(s.verdict.hidden, 0.2);
  EXPECT_DOUBLE_EQ(s.verdict.impossible, 0.15);
  EXPECT_NEAR(s.verdict.unknown, 0.05, 1e-15);
  EXPECT_DOUBLE_EQ(s.verdict.worth(), 0.45);
}

TEST(FinePoseAdvance, WithoutStepsItIsJudgedOrDone) {
  EXPECT_EQ(state_of(0).phase, Phase::done);
  EXPECT_EQ(state_of(0, 1).phase, Phase::judge);
}

}  // namespace
}  // namespace dovetail
