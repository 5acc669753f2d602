// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "icp/property_cases.h"

// Several starts: which answer wins, and what is said of the others.

namespace dovetail {
namespace {

using namespace test;

double apart(const Registration& a, const Registration& b, const PointCloud& source) {
  return distance_off(a.target_from_source, b.target_from_source, source);
}

/// Ranked, distinct, and none better than the winner by more than the amount that lets a nearer answer win.
void expect_ranked(const Registration& r, const PointCloud& source) {
  for (std::size_t i = 0; i < r.alternatives.size(); ++i) {
    const Registration& a = r.alternatives[i];
    EXPECT_TRUE(is_finite(a.target_from_source));
    EXPECT_GT(apart(a, r, source), 0.02) << "alternative " << i << " is the answer itself";
    if (i > 0) {
      EXPECT_LE(a.log_odds, r.alternatives[i - 1].log_odds) << "alternative " << i << " is out of order";
    }
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_GT(apart(a, r.alternatives[k], source), 0.02) << "alternatives " << i << " and " << k << " are one";
    }
    EXPECT_LE(a.log_odds, r.log_odds + 1);
    EXPECT_LE(*a.confidence, *r.confidence);
  }
  if (r.margin) {
    EXPECT_GE(*r.margin, 0);
    EXPECT_LE(*r.margin, 1);
  }
}

class Starts : public testing::Test {
 protected:
  PointCloud target = bumpy_sphere(3000, 11);
  Transform truth = known_motion();
  PointCloud source = truth.inverse() * bumpy_sphere(3000, 12);
};

TEST_F(Starts, OneStartHasNoMargin) {
  Icp icp;
  icp.starts = 1;
  auto run = on(Machine::cpu);
  run.start = motion({1, 0, 0}, 3, {0.01, 0, 0}) * truth;
  const Registration r = register_points(source, target, icp, run);
  EXPECT_FALSE(r.margin.has_value());
  EXPECT_TRUE(r.alternatives.empty());
  expect_near(r, truth, source, 0.1, 1e-3);  // a seventh of the spacing
}

TEST_F(Starts, TheBestOfTheGivenStartsWins) {
  auto run = on(Machine::cpu);
  const Vec3 middle = centroid(target);
  for (const double angle : {170.0, 120.0, 8.0, -100.0}) {
    run.starts.push_back(motion({1, 1, 2}, angle, {0, 0, 0}, middle) * truth);
  }
  Icp icp;
  icp.starts = 1;
  const Registration r = register_points(source, target, icp, run);
  expect_near(r, truth, source, 0.1, 1e-3);
  ASSERT_TRUE(r.margin.has_value());
  EXPECT_GE(r.alternatives.size(), 1u);
  EXPECT_GT(*r.margin, 0.1) << "a wrong turn of this shape fits clearly worse";
  expect_ranked(r, source);
}

TEST_F(Starts, AnswersOfManyStartsAreRankedAndDistinct) {
  auto run = on(Machine::cpu);
  RandomStream random(8, 0);
  for (int i = 0; i < 24; ++i) run.starts.push_back(Rigid3{random.rotation(), {0, 0, 0}});
  run.start_at_centroid = true;
  for (const Metric metric : {Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane}) {
    Icp icp = with_metric(metric);
    icp.starts = 1;
    SCOPED_TRACE(testing::PrintToString(metric));
    expect_ranked(register_points(source, target, icp, run), source);
  }
}

TEST_F(Starts, EqualStartsAreOneAnswer) {
  auto run = on(Machine::cpu);
  run.starts.assign(5, motion({1, 0, 0}, 3, {0.01, 0, 0}) * truth);
  Icp icp;
  icp.starts = 1;
  const Registration r = register_points(source, target, icp, run);
  EXPECT_TRUE(r.alternatives.empty());
  ASSERT_TRUE(r.margin.has_value());
  EXPECT_EQ(*r.margin, 1.0);
}

TEST_F(Starts, AmongEqualAnswersTheNearestToTheStartWins) {
  // A shape that a half turn about z maps onto itself.
  PointCloud half = bumpy_sphere(2000, 11), both = half;
  for (const Vec3& p : half.positions) both.positions.push_back({-p[0], -p[1], p[2]});
  const PointCloud cloud = motion({1, 0, 0}, 0, {}) * both;
  for (const double angle : {15.0, 195.0}) {
    auto run = on(Machine::cpu);
    run.min_confidence = 0;  // it may be either
    run.start = motion({0, 0, 1}, angle, {0.01, 0, 0});
    run.starts = {*run.start, motion({0, 0, 1}, angle + 180, {0, 0, 0})};
    const Registration r = register_points(cloud, both, {}, run);
    expect_near(r, motion({0, 0, 1}, angle - 15, {}), cloud, 1e-3, 1e-5);
    ASSERT_TRUE(r.margin.has_value());
    EXPECT_LT(*r.margin, 0.05) << "the other answer is as good, and that is said";
    EXPECT_GE(r.alternatives.size(), 1u);
    EXPECT_LE(*r.confidence, 0.5);
    expect_ranked(r, cloud);
  }
}

TEST_F(Starts, TheCentroidStartBridgesAnyDistance) {
  const Transform far = motion({1, -2, 3}, 20, {500, -300, 200});
  const PointCloud cloud = far.inverse() * bumpy_sphere(3000, 11);
  auto run = on(Machine::cpu);
  EXPECT_FALSE(register_points(cloud, target, {}, run).usable());
  run.start_at_centroid = true;
  const Registration r = register_points(cloud, target, {}, run);
  expect_near(r, far, cloud, exact_pairs / degree, exact_pairs);
}

TEST_F(Starts, TheCentroidStartKeepsTheRotationOfTheStart) {
  const Transform far = motion({1, -2, 3}, 150, {50, -30, 20});
  const PointCloud cloud = far.inverse() * bumpy_sphere(3000, 11);
  auto run = on(Machine::cpu);
  run.start = motion({1, -2, 3}, 135, {-1, 7, 3});
  run.start_at_centroid = true;
  const Registration r = register_points(cloud, target, {}, run);
  expect_near(r, far, cloud, exact_pairs / degree, exact_pairs);
}

}  // namespace
}  // namespace dovetail
