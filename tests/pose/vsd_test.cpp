// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/vsd.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dovetail::pose {
namespace {

/// A row of four pixels about straight ahead: distances are depths, but for a share of 10⁻⁶.
constexpr double focal = 1e6;
const Pinhole narrow{focal, focal, 0, 0, 4, 1};

RenderedDepth rendered(std::vector<float> depth) {
  RenderedDepth image{{0, 0, static_cast<int>(depth.size()), 1}, std::move(depth), {}};
  image.part.assign(image.depth.size(), 0);
  return image;
}

MeasuredDistances measured(std::vector<std::uint16_t> steps) {
  return measured_distances({4, 1, std::move(steps)}, 1, narrow);
}

TEST(Vsd, ThresholdsAreTheDoublesThatCountingGives) {
  const auto steps = steps_of_a_twentieth();
  EXPECT_EQ(steps[0], 0.05);
  EXPECT_EQ(steps[2], 0.15000000000000002);
  EXPECT_EQ(steps[9], 0.5);
}

TEST(Vsd, CountsPixelsOfOneMaskAndThoseTooFarApart) {
  // Pixels: truth alone, both at the same place, both 12 of 100 apart, estimate alone.
  const auto errors =
      vsd(rendered({0, 500, 512, 500}), rendered({500, 500, 500, 0}), measured({500, 500, 500, 500}), 15, 100);
  EXPECT_EQ(errors[0], 3 / 4.0);
  EXPECT_EQ(errors[1], 3 / 4.0) << "0.12 is at least 0.10";
  EXPECT_EQ(errors[2], 2 / 4.0) << "and below 0.15";
  EXPECT_EQ(errors[9], 2 / 4.0);
}

TEST(Vsd, WhatLiesFarBehindTheMeasuredIsHidden) {
  // Truth visible in the first pixel alone: the second is measured 16 in front of it, with 15 allowed.
  const auto errors = vsd(rendered({500, 0, 0, 0}), rendered({500, 516, 0, 0}), measured({500, 500, 0, 0}), 15, 100);
  EXPECT_EQ(errors[0], 0);
  const auto visible = vsd(rendered({500, 0, 0, 0}), rendered({500, 515, 0, 0}), measured({500, 500, 0, 0}), 15, 100);
  EXPECT_EQ(visible[0], 1 / 2.0) << "15 behind is visible still";
  const auto before = vsd(rendered({500, 0, 0, 0}), rendered({500, 100, 0, 0}), measured({500, 500, 0, 0}), 15, 100);
  EXPECT_EQ(before[0], 1 / 2.0) << "in front of the measured is visible";
}

TEST(Vsd, WithoutMeasurementEverythingIsVisible) {
  EXPECT_EQ(vsd(rendered({500, 0, 0, 0}), rendered({500, 900, 0, 0}), measured({0, 0, 0, 0}), 15, 100)[0], 1 / 2.0);
}

TEST(Vsd, AnEstimateIsVisibleWhereTheTruthIs) {
  // The estimate lies 40 behind what was measured, the truth on it: both are visible, and 0.4 apart.
  const auto errors = vsd(rendered({540, 0, 0, 0}), rendered({500, 0, 0, 0}), measured({500, 500, 0, 0}), 15, 100);
  EXPECT_EQ(errors[6], 1) << "0.40 at 0.35";
  EXPECT_EQ(errors[8], 0) << "0.40 at 0.45";
  // Elsewhere it is hidden, and no pixel of the union.
  const auto hidden = vsd(rendered({500, 540, 0, 0}), rendered({500, 0, 0, 0}), measured({500, 500, 0, 0}), 15, 100);
  EXPECT_EQ(hidden[0], 0);
}

TEST(Vsd, OfNothingIsOne) {
  for (const double error : vsd(rendered({0, 0, 0, 0}), rendered({0, 0, 0, 0}), measured({9, 9, 9, 9}), 15, 100)) {
    EXPECT_EQ(error, 1);
  }
}

TEST(Vsd, RegionsMayDiffer) {
  RenderedDepth right = rendered({500});
  right.region.left = 3;
  EXPECT_EQ(vsd(right, rendered({500, 500}), measured({500, 500, 500, 500}), 15, 100)[0], 1);
  right.region.left = 1;
  EXPECT_EQ(vsd(right, rendered({500, 500}), measured({500, 500, 500, 500}), 15, 100)[0], 1 / 2.0);
}

TEST(Vsd, MeasuresFromTheCamerasCentreThroughPixelCorners) {
  const Pinhole wide{2, 4, 1, 0, 3, 2};
  const MeasuredDistances distances = measured_distances({3, 2, {100, 100, 0, 100, 100, 200}}, 0.5, wide);
  EXPECT_FLOAT_EQ(distances.distance[0], static_cast<float>(50 * std::sqrt(1.25)));  // (0 − 1) / 2 to the left
  EXPECT_EQ(distances.distance[1], 50);
  EXPECT_EQ(distances.distance[2], 0);
  EXPECT_FLOAT_EQ(distances.distance[5], static_cast<float>(100 * std::sqrt(1 + 0.25 + 1 / 16.0)));
  // 15 of depth at a slant is more of distance: hidden by a hair.
  RenderedDepth behind{{0, 0, 1, 1}, {65}, {0}}, on{{0, 0, 1, 1}, {50}, {0}};
  EXPECT_EQ(vsd(on, behind, distances, 15, 100)[9], 1) << "the truth is hidden, the estimate is not";
  EXPECT_EQ(vsd(on, behind, distances, 17, 100)[9], 0) << "both are visible, 0.17 apart";
}

TEST(Vsd, SpheresThatDoNotOverlapInTheImage) {
  EXPECT_TRUE(may_overlap({0, 0, 500}, {99, 0, 500}, 100));
  EXPECT_FALSE(may_overlap({0, 0, 500}, {100, 0, 500}, 100));
  EXPECT_TRUE(may_overlap({0, 0, 500}, {0, 0, 900}, 100)) << "one behind the other";
  EXPECT_FALSE(may_overlap({0, 0, 0}, {0, 0, 500}, 100));
  EXPECT_FALSE(may_overlap({0, 0, -500}, {0, 0, 500}, 100));
}

}  // namespace
}  // namespace dovetail::pose
