// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "icp/property_cases.h"

// Motions that may not change keep the start's value, whatever the data would rather have.

namespace dovetail {
namespace {

using namespace test;

class FreedomOfMotion : public testing::TestWithParam<Metric> {
 protected:
  FreedomOfMotion() : icp(with_metric(GetParam())) { icp.free = {false, false, false, false, false, false}; }

  /// Registers from a start that is neither the identity nor the truth.
  Registration registered(const Transform& truth) {
    source = truth.inverse() * target;
    auto run = on(Machine::cpu);
    run.start = start;
    return register_points(source, target, icp, run);
  }

  Icp icp;
  PointCloud target = bumpy_sphere(3000), source;
  Transform start = motion({1, 1, 0}, 5, {0.02, 0.01, -0.03});
};
INSTANTIATE_TEST_SUITE_P(Metrics, FreedomOfMotion,
                         testing::Values(Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane),
                         testing::PrintToStringParamName());

double largest_change(const Transform& a, const Transform& b) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) largest = std::max(largest, std::abs(a.matrix(i, j) - b.matrix(i, j)));
  }
  return largest;
}

TEST_P(FreedomOfMotion, ShiftsAloneKeepTheRotation) {
  icp.free.tx = icp.free.ty = icp.free.tz = true;
  const Transform truth = motion({0, 0, 1}, 0, {0.05, -0.04, 0.06}) * start;
  const Registration r = registered(truth);
  EXPECT_LT(largest_change(r.target_from_source, start), held_motion);
  EXPECT_LT(distance_between(r.target_from_source, truth, centroid(source)), exact_tolerance(GetParam()));
  for (const Registration& other : r.alternatives) {
    EXPECT_LT(largest_change(other.target_from_source, start), held_motion) << "an alternative is held as well";
  }
}

/// The data asks for a turn of 38 degrees. It must not get it, though starts are spread that far.
TEST_P(FreedomOfMotion, ShiftsAloneKeepTheRotationThoughTheDataIsTurned) {
  icp.free.tx = icp.free.ty = icp.free.tz = true;
  const Registration r = registered(motion({0, 0, 1}, 38, {0.02, 0, 0}) * start);
  EXPECT_LT(largest_change(r.target_from_source, start), held_motion);
}

TEST_P(FreedomOfMotion, OneShiftAlone) {
  icp.free.ty = true;
  const Transform truth = motion({0, 0, 1}, 0, {0, -0.06, 0}) * start;
  const Registration r = registered(truth);
  EXPECT_LT(largest_change(r.target_from_source, start), held_motion);
  EXPECT_NEAR(r.target_from_source.matrix(0, 3), start.matrix(0, 3), held_motion);
  EXPECT_NEAR(r.target_from_source.matrix(2, 3), start.matrix(2, 3), held_motion);
  EXPECT_NEAR(r.target_from_source.matrix(1, 3), truth.matrix(1, 3), exact_tolerance(GetParam()));
}

TEST_P(FreedomOfMotion, OneTurnAndTheShifts) {
  icp.free = {false, false, true, true, true, true};
  const Transform truth = motion({0, 0, 1}, 12, {0.05, -0.04, 0.06}) * start;
  const Registration r = registered(truth);
  const Transform change = r.target_from_source * start.inverse();
  EXPECT_NEAR(change.matrix(2, 2), 1, held_motion) << "what the start had is turned about z alone";
  EXPECT_NEAR(std::hypot(change.matrix(0, 2), change.matrix(1, 2)), 0, 1e-12);
  expect_near(r, truth, source, exact_tolerance(GetParam()) / degree, exact_tolerance(GetParam()));
}

TEST_P(FreedomOfMotion, TurnsAloneKeepTheCentroidInItsPlace) {
  icp.free.rx = icp.free.ry = icp.free.rz = true;
  const Vec3 middle = centroid(target);
  const Transform truth = motion({1, 2, 3}, 15, {0, 0, 0}, middle);
  start = motion({0, 1, 0}, 4, {0, 0, 0}, middle);
  const Registration r = registered(truth);
  // The centroid the library turns about is that of the points in float.
  EXPECT_LT(distance_between(r.target_from_source, start, centroid(source)), 1e-7);
  expect_near(r, truth, source, exact_tolerance(GetParam()) / degree, exact_tolerance(GetParam()));
}

TEST(FreedomInThePlane, OneTurnAlone) {
  Icp icp = with_metric(Metric::point_to_plane);
  icp.free.tx = icp.free.ty = false;
  const PointCloud target = curve(2000);
  const Vec3 middle = centroid(target);
  const Mat2 turn = exp_so2(0.15);
  const Vec2 about{middle[0], middle[1]};
  const Transform truth = Rigid2{turn, about - turn * about};
  const PointCloud source = truth.inverse() * target;
  const Registration r = register_points(source, target, icp, on(Machine::cpu));
  EXPECT_LT(distance_between(r.target_from_source, Transform::identity(Model::rigid2), centroid(source)), 1e-7);
  expect_near(r, truth, source, exact_pairs / degree, 1e-6);
}

}  // namespace
}  // namespace dovetail
