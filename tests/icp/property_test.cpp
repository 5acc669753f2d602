// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "icp/property_cases.h"

namespace dovetail {
namespace {

using namespace test;

class PropertyOnTheCpu : public testing::TestWithParam<Metric> {};
INSTANTIATE_TEST_SUITE_P(Metrics, PropertyOnTheCpu,
                         testing::Values(Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane),
                         testing::PrintToStringParamName());

TEST_P(PropertyOnTheCpu, RecoversKnownMotions) { expect_recovers_shapes(Machine::cpu, GetParam(), 3000); }

TEST_P(PropertyOnTheCpu, MovingBothCloudsMovesTheAnswer) { expect_equivariant(Machine::cpu, GetParam(), 3000); }

TEST_P(PropertyOnTheCpu, TheOrderOfPointsDoesNotMatter) {
  expect_order_does_not_matter(Machine::cpu, GetParam(), 3000);
}

TEST_P(PropertyOnTheCpu, UnitsDoNotMatter) { expect_scale_free(Machine::cpu, GetParam(), 3000); }

/// The oracle is slow: small clouds, one level.
class PropertyOnTheReference : public testing::TestWithParam<Metric> {};
INSTANTIATE_TEST_SUITE_P(Metrics, PropertyOnTheReference,
                         testing::Values(Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane),
                         testing::PrintToStringParamName());

TEST_P(PropertyOnTheReference, RecoversKnownMotions) { expect_recovers_shapes(Machine::reference, GetParam(), 300); }

TEST_P(PropertyOnTheReference, EndsWhereTheCpuEnds) {
  Transform truth;
  PointCloud source;
  const Icp icp = with_metric(GetParam());
  const Registration slow = registered_samplings(Machine::reference, icp, 500, &truth, &source);
  const Registration fast = registered_samplings(Machine::cpu, icp, 500, &truth, &source);
  EXPECT_EQ(slow.machine, "reference");
  EXPECT_EQ(fast.machine, "cpu");
  EXPECT_LT(distance_off(slow.target_from_source, fast.target_from_source, source), same_data);
  EXPECT_NEAR(slow.rmse, fast.rmse, same_data);
  EXPECT_NEAR(slow.score, fast.score, same_data);
}

TEST(PropertySimilarity, ScaleIsRecovered) {
  Icp icp = with_metric(Metric::point_to_point);
  icp.estimate_scale = true;
  for (const double scale : {0.8, 1.25}) {
    const PointCloud target = bumpy_sphere(3000);
    const Transform truth = Similarity3{exp_so3(Vec3{0.1, -0.2, 0.15}), {0.05, 0.02, -0.04}, scale};
    const PointCloud source = truth.inverse() * target;
    const Registration r = register_points(source, target, icp, on(Machine::cpu));
    EXPECT_EQ(r.target_from_source.model, Model::similarity3);
    expect_near(r, truth, source, exact_pairs_linear / degree, exact_pairs_linear);
    EXPECT_NEAR(r.target_from_source.as<Similarity3>().scale, scale, exact_pairs_linear);
  }
}

TEST(PropertySimilarity, ScaleIsRecoveredInThePlane) {
  Icp icp = with_metric(Metric::point_to_point);
  icp.estimate_scale = true;
  const PointCloud target = curve(2000);
  const Transform truth = Similarity2{exp_so2(0.2), {0.05, -0.03}, 1.2};
  const PointCloud source = truth.inverse() * target;
  const Registration r = register_points(source, target, icp, on(Machine::cpu));
  EXPECT_EQ(r.target_from_source.model, Model::similarity2);
  expect_near(r, truth, source, exact_pairs_linear / degree, exact_pairs_linear);
}

}  // namespace
}  // namespace dovetail
