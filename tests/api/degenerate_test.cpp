// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "dovetail/error.h"
#include "dovetail/registration.h"
#include "support/machines.h"
#include "support/messages.h"
#include "support/poses.h"
#include "support/shapes.h"
#include "support/tolerances.h"

// Data that does not determine an answer is told in the result, and data that is merely dirty is handled and reported.
// Never a NaN, never a silent identity.

namespace dovetail {
namespace {

using namespace test;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

PointCloud from(std::vector<Vec3> points) {
  PointCloud cloud;
  cloud.positions = std::move(points);
  return cloud;
}

struct BadCloud {
  const char* name;
  std::function<PointCloud()> make;
  const char* said;  ///< a part of the message
};

std::vector<BadCloud> bad_clouds() {
  const auto line = [] {
    return sample(500, 1, [](RandomStream& r) { return Vec3{1, 2, 3} + r.uniform() * Vec3{0.3, -0.4, 0.5}; });
  };
  return {
      {"one point",
       [] {
         return from({{1, 2, 3}});
       },
       "1 usable"},
      {"two points",
       [] {
         return from({{1, 2, 3}, {2, 3, 4}});
       },
       "2 usable"},
      {"all equal",
       [] {
         return from(std::vector<Vec3>(1000, Vec3{1, 2, 3}));
       },
       "coincide"},
      {"collinear", line, "line"},
      {"far from the origin and collinear",
       [line] {
         return motion({0, 0, 1}, 0, {4e5, 5e6, 300}) * line();
       },
       "line"},
      {"all NaN",
       [] {
         return from(std::vector<Vec3>(100, Vec3{nan, nan, nan}));
       },
       "0 usable"},
      {"all infinite",
       [] {
         return from(std::vector<Vec3>(100, Vec3{HUGE_VAL, 0, -HUGE_VAL}));
       },
       "0 usable"},
      {"huge",
       [] {
         return from(std::vector<Vec3>(100, Vec3{1e300, -1e300, 1e300}));
       },
       "0 usable"},
      {"two good points among NaN",
       [] {
         return from({{nan, 0, 0}, {1, 2, 3}, {0, nan, 0}, {2, 3, 4}});
       },
       "2 usable"},
  };
}

class NoAnswer : public testing::TestWithParam<std::tuple<Machine, Metric>> {};
INSTANTIATE_TEST_SUITE_P(MachinesAndMetrics, NoAnswer,
                         testing::Combine(testing::Values(Machine::cpu, Machine::reference),
                                          testing::Values(Metric::point_to_point, Metric::point_to_plane,
                                                          Metric::plane_to_plane)),
                         [](const auto& test) {
                           return testing::PrintToString(std::get<0>(test.param)) + "_" +
                                  testing::PrintToString(std::get<1>(test.param));
                         });

TEST_P(NoAnswer, IsDegenerateAndSaysWhy) {
  Icp icp;
  icp.metric = std::get<1>(GetParam());
  const auto run = on(std::get<0>(GetParam()));
  const PointCloud good = bumpy_surface(400);
  for (const BadCloud& bad : bad_clouds()) {
    for (const bool is_source : {true, false}) {
      SCOPED_TRACE(std::string(bad.name) + (is_source ? " as source" : " as target"));
      const PointCloud cloud = bad.make();
      const Registration r =
          is_source ? register_points(cloud, good, icp, run) : register_points(good, cloud, icp, run);
      EXPECT_EQ(r.termination, Termination::degenerate);
      EXPECT_FALSE(r.usable());
      EXPECT_TRUE(is_finite(r.target_from_source));
      EXPECT_TRUE(r.covariance.empty());
      EXPECT_TRUE(mentions(r.message, bad.said)) << r.message;
      EXPECT_TRUE(mentions(r.message, is_source ? "source" : "target")) << r.message;
    }
  }
}

TEST(NoAnswerInThePlane, OnePointOrEqualPoints) {
  PointCloud point = from({{1, 2, 0}}), equal = from(std::vector<Vec3>(10, Vec3{1, 2, 0}));
  point.dimension = equal.dimension = 2;
  EXPECT_EQ(register_points(point, curve(100), {}, on(Machine::cpu)).termination, Termination::degenerate);
  EXPECT_EQ(register_points(equal, curve(100), {}, on(Machine::cpu)).termination, Termination::degenerate);
}

TEST(NoAnswerInThePlane, TwoPointsAndLinesAreEnough) {
  PointCloud target = from({{0, 0, 0}, {1, 0, 0}});
  target.dimension = 2;
  Icp icp;
  icp.metric = Metric::point_to_point;
  const Transform truth = motion2(5, 0.03, -0.02);
  const PointCloud source = truth.inverse() * target;
  auto run = on(Machine::cpu);
  run.min_confidence = 0;  // any two points fit two others
  expect_near(register_points(source, target, icp, run), truth, source, 1e-4, 1e-6);
}

/// Only 60 points on a line have a counterpart: found out on the way, and said.
void expect_a_line_is_not_enough(const Vec3& first, const Vec3& step, double max_distance) {
  PointCloud source = bumpy_surface(400), target;
  for (int i = 0; i < 60; ++i) {
    const Vec3 p = first + static_cast<double>(i) * step;
    source.positions.push_back(p);
    target.positions.push_back(p);
  }
  for (const Vec3& p : bumpy_surface(400, 2).positions) target.positions.push_back(p + Vec3{0, 0, 1});
  Icp icp;
  icp.metric = Metric::point_to_point;
  icp.levels = 1;
  icp.max_distance = max_distance;
  auto run = on(Machine::cpu);
  run.min_inlier_ratio = 0.01;
  const Registration r = register_points(source, target, icp, run);
  EXPECT_EQ(r.termination, Termination::degenerate);
  EXPECT_FALSE(r.usable());
  EXPECT_TRUE(is_finite(r.target_from_source));
  EXPECT_FALSE(mentions(r.message, "are needed")) << "not a matter of too few inliers: " << r.message;
}

TEST(NoAnswerOnTheWay, PairsOnALine) { expect_a_line_is_not_enough({-0.3, 0.6, 0.1}, {0.01, 0.002, 0}, 0.01); }

/// Far from the middle the rounding of the sums is larger than the line is thick.
TEST(NoAnswerOnTheWay, PairsOnAShortLineFarOut) {
  expect_a_line_is_not_enough({0.9, 0.9, 0.4}, {0.0004, -0.0003, 0}, 0.004);
}

TEST(NoAnswerOnTheWay, CloudsThatAreFarApart) {
  const PointCloud target = bumpy_surface(1000), source = motion({0, 0, 1}, 0, {100, 0, 0}) * target;
  const Registration r = register_points(source, target, {}, on(Machine::cpu));
  EXPECT_EQ(r.termination, Termination::no_correspondences);
  EXPECT_FALSE(r.usable());
  EXPECT_TRUE(mentions(r.message, "near enough")) << r.message;
  EXPECT_EQ(r.target_from_source, Transform()) << "the start, untouched";
}

TEST(Duplicates, AMillionOfOnePoint) {
  const PointCloud surface = bumpy_surface(3000, 11);
  PointCloud target = surface;
  for (int i = 0; i < 500'000; ++i) target.positions.push_back(surface.positions[42]);
  const Transform truth = motion({1, -2, 3}, 10, {0.04, -0.03, 0.05});
  const PointCloud source = truth.inverse() * target;
  Icp icp;
  icp.starts = 1;
  icp.max_iterations = 10;
  const Registration r = register_points(source, target, icp, on(Machine::cpu));
  EXPECT_EQ(r.points.source, 503'000u);
  EXPECT_TRUE(is_finite(r.target_from_source));
  EXPECT_EQ(r.points.dropped_non_finite, 0u);
  // Their weight makes the rest hard to see: no answer is allowed, a wrong one that is called usable is not.
  if (r.usable()) {
    EXPECT_LT(distance_between(r.target_from_source, truth, source.positions[42]), 1e-3);
  }
}

class DirtyData : public testing::TestWithParam<Metric> {
 protected:
  PointCloud target = bumpy_surface(3000, 11);
  Transform truth = motion({1, -2, 3}, 10, {0.04, -0.03, 0.05});
  PointCloud source = truth.inverse() * target;
  Icp icp = [] {
    Icp options;
    options.metric = GetParam();
    return options;
  }();
  Registration registered() const { return register_points(source, target, icp, on(Machine::cpu)); }
};
INSTANTIATE_TEST_SUITE_P(Metrics, DirtyData,
                         testing::Values(Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane),
                         testing::PrintToStringParamName());

TEST_P(DirtyData, OneNaN) {
  const PointCloud clean = source;
  source.positions.insert(source.positions.begin() + 17, Vec3{0, nan, 0});
  const Registration r = registered();
  expect_near(r, truth, clean, exact_pairs_linear / degree, exact_pairs_linear);
  EXPECT_EQ(r.points.dropped_non_finite, 1u);
  EXPECT_EQ(r.points.source, 3000u);
}

TEST_P(DirtyData, OneInTenNaN) {
  const PointCloud clean = source;
  for (std::size_t i = 0; i < source.size(); i += 10) source.positions[i][static_cast<int>(i / 10 % 3)] = nan;
  for (std::size_t i = 5; i < target.size(); i += 10) target.positions[i] = {nan, HUGE_VAL, 1e300};
  const Registration r = registered();
  EXPECT_EQ(r.points.dropped_non_finite, 600u);
  EXPECT_EQ(r.points.source, 2700u);
  EXPECT_EQ(r.points.target, 2700u);
  // A ninth of the points lost their counterpart: a tenth of the spacing (0.008) is what that may cost.
  expect_near(r, truth, clean, 8e-4 / degree, 8e-4);
}

TEST_P(DirtyData, EveryPointTenTimes) {
  const PointCloud clean_source = source, clean_target = target;
  for (int i = 1; i < 10; ++i) {
    for (std::size_t k = 0; k < 3000; ++k) {
      source.positions.push_back(clean_source.positions[k]);
      target.positions.push_back(clean_target.positions[k]);
    }
  }
  const Registration r = registered();
  EXPECT_EQ(r.points.source, 30'000u);
  expect_near(r, truth, clean_source, exact_pairs_linear / degree, exact_pairs_linear);
  EXPECT_TRUE(r.weak_directions.empty()) << "the shape is the same";
}

/// A stray point costs the others none of their precision, and does not widen what counts as an inlier.
TEST_P(DirtyData, AStrayPointFarAway) {
  const PointCloud clean = source;
  for (const double far : {30.0, 1000.0}) {
    source = clean;
    source.positions.push_back({far, -far, far});
    const Registration r = registered();
    SCOPED_TRACE(far);
    expect_near(r, truth, clean, exact_pairs_linear / degree, exact_pairs_linear);
    EXPECT_LT(r.inlier_distance, 0.05) << "a twentieth of the surface's size";
  }
}

TEST_P(DirtyData, MetresAgainstMillimetres) {
  source = scaled(source, 1000);
  const Registration r = registered();
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_TRUE(mentions(r.warnings[0], "units")) << r.warnings[0];
  EXPECT_TRUE(is_finite(r.target_from_source));
  source = scaled(source, 0.01);
  EXPECT_TRUE(registered().warnings.empty()) << "a part in a scene ten times its size is nothing odd";
}

TEST_P(DirtyData, MarksAtTheOrigin) {
  const Transform away = motion({0, 0, 1}, 0, {5, 0, 0});
  target = away * target;
  const PointCloud clean = source;
  for (int i = 0; i < 100; ++i) source.positions.push_back({0, 0, 0});
  for (int i = 0; i < 50; ++i) target.positions.push_back({0, 0, 0});
  auto run = on(Machine::cpu);
  run.start = away;
  run.origin_points = OriginPoints::drop;
  const Registration r = register_points(source, target, icp, run);
  EXPECT_EQ(r.points.dropped_at_origin, 150u);
  expect_near(r, away * truth, clean, exact_pairs_linear / degree, exact_pairs_linear);
  run.origin_points = OriginPoints::keep;
  EXPECT_EQ(register_points(source, target, icp, run).points.dropped_at_origin, 0u);
}

}  // namespace
}  // namespace dovetail
