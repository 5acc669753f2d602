// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/line_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.h"

namespace dovetail {
namespace {

Reference lines_of(std::vector<Vec3> vertices, std::initializer_list<std::initializer_list<std::uint32_t>> lines) {
  Reference reference;
  reference.points.dimension = 2;
  reference.points.positions = std::move(vertices);
  for (const auto& line : lines) reference.lines.add(line);
  return reference;
}

TEST(LineMap, PartsGoFromJunctionToJunction) {
  // A road of three segments, and another that meets it at its second vertex: 2 + 1 stretches. The bend at vertex 2 is
  // none.
  const Reference roads =
      lines_of({{0, 0, 0}, {10, 0, 0}, {20, 5, 0}, {30, 5, 0}, {10, -8, 0}}, {{0, 1, 2, 3}, {4, 1}});
  const LineMap map = make_line_map(roads, {{5, 1, 0}, 2.0});
  ASSERT_EQ(map.segments.size(), 4u);
  EXPECT_EQ(map.stretches, 3u);
  const std::uint32_t stretches[] = {0, 1, 1, 2};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(map.segments[i].stretch, stretches[i]);
  const LineSegment& first = map.segments[0];
  EXPECT_FLOAT_EQ(first.x, -10);  // local: about (5, 1), twice as large
  EXPECT_FLOAT_EQ(first.y, -2);
  EXPECT_FLOAT_EQ(first.along_x, 1);
  EXPECT_FLOAT_EQ(first.length, 20);
  const std::vector<double> length = map.stretch_lengths();
  EXPECT_NEAR(length[0], 20, 1e-5);
  EXPECT_NEAR(length[1], 2 * (std::hypot(10, 5) + 10), 1e-5);
  EXPECT_NEAR(length[2], 16, 1e-5);
}

TEST(LineMap, WhatTwoLinesShareIsThereOnce) {
  const Reference roads = lines_of({{0, 0, 0}, {10, 0, 0}, {20, 0, 0}}, {{0, 1, 2}, {2, 1, 1, 0}, {1, 2}});
  const LineMap map = make_line_map(roads, {});
  ASSERT_EQ(map.segments.size(), 2u);
  EXPECT_EQ(map.stretches, 1u);
}

TEST(LineMap, VerticesThatAreNoNumbersTakeTheirStretchesAlong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Reference roads = lines_of({{0, 0, 0}, {nan, 0, 0}, {20, 0, 0}, {30, 0, 0}}, {{0, 1, 2, 3}});
  const LineMap map = make_line_map(roads, {});
  ASSERT_EQ(map.segments.size(), 1u);
  EXPECT_EQ(map.stretches, 1u);
  EXPECT_FLOAT_EQ(map.segments[0].x, 20);
}

TEST(LineMap, OnlyLinesInThePlaneHaveOne) {
  Reference solid = lines_of({{0, 0, 0}, {1, 0, 3}}, {{0, 1}});
  solid.points.dimension = 3;
  EXPECT_TRUE(make_line_map(solid, {}).empty());
  Reference mixed = lines_of({{0, 0, 0}, {1, 0, 0}, {4, 4, 0}}, {{0, 1}});  // a point beside the line
  EXPECT_TRUE(make_line_map(mixed, {}).empty());
  mixed.points.positions.pop_back();
  EXPECT_FALSE(make_line_map(mixed, {}).empty());
  Reference points;
  points.points = mixed.points;
  EXPECT_TRUE(make_line_map(points, {}).empty());
}

TEST(LineMap, LinesWithoutLengthDoNotMatter) {
  const Reference roads =
      lines_of({{0, 0, 0}, {10, 0, 0}, {3, 3, 0}, {3, 3, 0}, {5, 5, 0}}, {{0, 1}, {2, 3}, {4}, {4, 4}});
  const LineMap map = make_line_map(roads, {});
  EXPECT_EQ(map.segments.size(), 1u);
  EXPECT_EQ(map.stretches, 1u);
}

TEST(LineMap, RingsAreOnePartOrSplitWhereABranchMeetsThem) {
  const std::vector<Vec3> corners{{0, 0, 0}, {10, 0, 0}, {10, 10, 0}, {0, 10, 0}, {20, 10, 0}};
  Reference ring = lines_of({corners.begin(), corners.end() - 1}, {{0, 1, 2, 3, 0}});
  EXPECT_EQ(make_line_map(ring, {}).stretches, 1u);
  const LineMap branched = make_line_map(lines_of(corners, {{0, 1, 2, 3, 0}, {2, 4}}), {});
  EXPECT_EQ(branched.segments.size(), 5u);
  EXPECT_EQ(branched.stretches, 3u);  // to the branch, from it, and the branch
}

TEST(LineMap, LinesWithinABoxKeepTheirPartsApart) {
  const Reference roads =
      lines_of({{0, 0, 0}, {10, 0, 0}, {100, 0, 0}, {110, 0, 0}, {5, 5, 0}, {200, 5, 0}}, {{0, 1}, {2, 3}, {4, 5}});
  const float low[2] = {90, -1}, high[2] = {120, 20};
  const LineMap near = lines_within(make_line_map(roads, {}), low, high);
  ASSERT_EQ(near.segments.size(), 2u);
  EXPECT_EQ(near.stretches, 2u);
  EXPECT_EQ(near.segments[0].stretch, 0u);
  EXPECT_EQ(near.segments[1].stretch, 1u);
}

double distance_to(const PeopledSegment& s, float x, float y) {
  const float dx = x - s.x, dy = y - s.y, along = std::clamp(dx * s.along_x + dy * s.along_y, 0.0f, s.length);
  return std::hypot(double{dx - along * s.along_x}, double{dy - along * s.along_y});
}

class LineIndexTest : public testing::TestWithParam<std::tuple<double, std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(Reaches, LineIndexTest,
                         testing::Combine(testing::Values(0.05, 1.0, 30.0, 500.0), testing::Values(100, 1000000)));

TEST_P(LineIndexTest, EveryPointHasAllSegmentsWithinReach) {
  const auto [within, points] = GetParam();
  RandomStream random(3, 1);
  Reference roads;
  roads.points.dimension = 2;
  for (std::uint32_t i = 0; i < 60; ++i) {
    const Vec3 from{random.uniform(-200, 200), random.uniform(-100, 100), 0};
    const double reach = i % 3 == 0 ? 150 : 5;
    roads.points.positions.push_back(from);
    roads.points.positions.push_back(from + Vec3{random.uniform(-reach, reach), random.uniform(-reach, reach), 0});
    roads.lines.add({2 * i, 2 * i + 1});
  }
  const LineMap map = make_line_map(roads, {});
  std::vector<double> rates(map.stretches);
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = 1 + static_cast<double>(i);
  const LineIndex index = make_line_index(map, rates, within, points);
  const LinesView view = index.view();
  for (const PeopledSegment& s : index.segments) EXPECT_EQ(double{s.rate}, rates[s.stretch]);
  int seen = 0;
  for (int i = 0; i < 3000; ++i) {
    // Half of the points near a line, else few would be within a short reach.
    const LineSegment& s = map.segments[random.below(60)];
    const float along = static_cast<float>(random.uniform()) * s.length;
    float point[2] = {s.x + along * s.along_x + static_cast<float>(random.uniform(-1.1, 1.1) * within),
                      s.y + along * s.along_y};
    if (i % 2 == 0) {
      for (float& coordinate : point) coordinate = static_cast<float>(random.uniform(-300, 300));
    }
    std::uint32_t first, last;
    view.near(point, first, last);
    for (std::uint32_t stretch = 0; stretch < map.stretches; ++stretch) {
      const LineSegment& line = map.segments[stretch];
      const PeopledSegment p{line.x, line.y, line.along_x, line.along_y, line.length, 0};
      if (distance_to(p, point[0], point[1]) > 0.999 * within) continue;
      ++seen;
      EXPECT_TRUE(std::any_of(index.segments.begin() + first, index.segments.begin() + last,
                              [&](const PeopledSegment& n) { return n.stretch == stretch; }));
    }
  }
  EXPECT_GT(seen, 100);
}

TEST(LineIndex, TakesNewRates) {
  const LineMap map =
      make_line_map(lines_of({{0, 0, 0}, {10, 0, 0}, {10, 10, 0}, {20, 0, 0}}, {{0, 1, 2}, {1, 3}}), {});
  ASSERT_EQ(map.stretches, 3u);
  LineIndex index = make_line_index(map, std::vector<double>{1, 2, 3}, 2, 1);
  const std::vector<double> rates{5, 0, 7};
  index.set_rates(rates);
  ASSERT_FALSE(index.segments.empty());
  for (const PeopledSegment& s : index.segments) EXPECT_EQ(double{s.rate}, rates[s.stretch]);
}

TEST(LineIndex, NothingIsNearFarAwayOrNowhere) {
  const LineMap map = make_line_map(lines_of({{0, 0, 0}, {10, 0, 0}}, {{0, 1}}), {});
  const std::vector<double> rates{1};
  const LineIndex index = make_line_index(map, rates, 2, 1);
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [x, y] : {std::pair{1e30f, 0.0f}, {-1e30f, 0.0f}, {0.0f, 1e9f}, {inf, 0.0f}, {0.0f, nan}}) {
    const float point[2] = {x, y};
    std::uint32_t first, last;
    index.view().near(point, first, last);
    EXPECT_EQ(first, last);
  }
}

}  // namespace
}  // namespace dovetail
