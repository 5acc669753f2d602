// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "icp/property_cases.h"
#include "support/problems.h"

// Points without a counterpart: weights, trimming, kernels.

namespace dovetail {
namespace {

using namespace test;

/// The mean distance of neighbours of 4,000 points of the bumpy surface is 0.007; 30% of wrong pairs, spread to all
/// sides and weighed down, pull the answer by a small part of it.
constexpr double quarter_of_spacing = 0.0018;

struct Outlying {
  PointCloud target = bumpy_surface(4000, 11);
  Transform truth = motion({1, -2, 3}, 10, {0.04, -0.03, 0.05});
  PointCloud source = truth.inverse() * with_outliers(bumpy_surface(4000, 12), 0.3, 13);
};

class KernelWithOutliers : public testing::TestWithParam<std::tuple<Metric, Kernel>> {};
INSTANTIATE_TEST_SUITE_P(
    MetricsAndKernels, KernelWithOutliers,
    testing::Combine(testing::Values(Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane),
                     testing::Values(Kernel::huber, Kernel::tukey, Kernel::geman_mcclure, Kernel::truncated)),
    [](const auto& test) {
      return testing::PrintToString(std::get<0>(test.param)) + "_" + testing::PrintToString(std::get<1>(test.param));
    });

TEST_P(KernelWithOutliers, ThreeInTenPointsAreWrong) {
  const Outlying data;
  Icp icp = with_metric(std::get<0>(GetParam()));
  icp.kernel = std::get<1>(GetParam());
  const Registration r = register_points(data.source, data.target, icp, on(Machine::cpu));
  expect_near(r, data.truth, data.source, quarter_of_spacing / degree, quarter_of_spacing);
  // Seven in ten points lie on the surface; of the others few come near it.
  EXPECT_GT(r.inlier_ratio, 0.69);
  EXPECT_LT(r.inlier_ratio, 0.80);
}

TEST(Trimming, PointsWithoutACounterpartAreLeftOut) {
  // The source is complete, the target is its lower 60%. Without a kernel only trimming keeps the rest from pulling.
  const PointCloud whole = bumpy_sphere(4000, 11);
  const PointCloud target = part_of(bumpy_sphere(4000, 12), {1, 0.3, 0.2}, 0.6);
  const Transform truth = motion({1, -2, 3}, 6, {0.03, -0.02, 0.02});
  const PointCloud source = truth.inverse() * whole;
  Icp icp = with_metric(Metric::plane_to_plane);
  icp.kernel = Kernel::none;
  icp.kernel_scale = 1;  // so that the reach, three times it, holds everything
  const PoseError untrimmed =
      pose_error(register_points(source, target, icp, on(Machine::cpu)).target_from_source, truth, source);
  icp.overlap = 0.6;
  const Registration r = register_points(source, target, icp, on(Machine::cpu));
  expect_near(r, truth, source, quarter_of_spacing / degree, quarter_of_spacing);
  EXPECT_LT(pose_error(r.target_from_source, truth, source).shift, 0.5 * untrimmed.shift)
      << "trimming is what makes it right";
  EXPECT_NEAR(r.trace.back().used_ratio, 0.6, 0.06) << "a bin of the histogram is 12% wide";
}

TEST(Weights, PointsOfWeightZeroCountForNothing) {
  const Outlying data;
  for (const Metric metric : {Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane}) {
    SCOPED_TRACE(testing::PrintToString(metric));
    Icp icp = with_metric(metric);
    icp.levels = 1;  // a voxel that holds points of both kinds is something else
    icp.kernel = Kernel::none;
    icp.max_distance = 0.05;
    PointCloud clean = data.source;
    clean.positions.resize(4000);
    PointCloud cloud = data.source;
    // Given normals: those of outliers do not then enter the estimate of their neighbours' normals.
    const Transform back = data.truth.inverse();
    const PointCloud shape = back * bumpy_surface_with_normals(4000, 12);
    clean.normals = shape.normals;
    cloud.normals = shape.normals;
    cloud.normals.resize(cloud.size(), Vec3f{0, 0, 1});
    auto run = on(Machine::cpu);
    const Registration without = register_points(clean, data.target, icp, run);
    run.weights.assign(cloud.size(), 0.0);
    std::fill_n(run.weights.begin(), 4000, 1.0);
    const Registration weighted = register_points(cloud, data.target, icp, run);
    // The schedule follows the radius of all points; its end, without a kernel, does not depend on it.
    const double tolerance = metric == Metric::point_to_point ? point_plateau : same_data;
    EXPECT_LT(distance_off(weighted.target_from_source, without.target_from_source, clean), tolerance);
  }
}

TEST(Weights, PointsOfWeightZeroDoNotCountForTrimming) {
  // As many points more as there are, far away and of weight zero; of the others 60% have a counterpart.
  const PointCloud target = part_of(bumpy_sphere(4000, 12), {1, 0.3, 0.2}, 0.6);
  PointCloud source = bumpy_sphere(4000, 11);
  auto run = on(Machine::cpu);
  run.weights.assign(source.size(), 1.0);
  for (const Vec3& p : scaled(bumpy_sphere(4000, 14), 2.5).positions) source.positions.push_back(p);
  run.weights.resize(source.size(), 0.0);
  Icp icp = with_metric(Metric::plane_to_plane);
  icp.kernel = Kernel::none;
  icp.levels = 1;
  icp.kernel_scale = 2;
  icp.overlap = 0.6;
  run.min_inlier_ratio = 0;
  const Transform truth = motion({1, -2, 3}, 3, {0.01, -0.01, 0.01});
  const Registration r = register_points(truth.inverse() * source, target, icp, run);
  expect_near(r, truth, truth.inverse() * source, quarter_of_spacing / degree, quarter_of_spacing);
}

TEST(Weights, OnlyTheirRatiosMatter) {
  const PointCloud target = bumpy_surface(3000, 11), source = known_motion().inverse() * bumpy_surface(2000, 12);
  for (const Metric metric : {Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane}) {
    SCOPED_TRACE(testing::PrintToString(metric));
    auto run = on(Machine::cpu);
    const Icp icp = with_metric(metric);
    const Registration plain = register_points(source, target, icp, run);
    run.weights.assign(2000, 1.0);
    EXPECT_EQ(register_points(source, target, icp, run).target_from_source, plain.target_from_source);
    run.weights.assign(2000, 8.0);  // only the rounding of weighted means in voxels, in double, may differ
    EXPECT_LT(
        distance_off(register_points(source, target, icp, run).target_from_source, plain.target_from_source, source),
        1e-12);
    std::fill_n(run.weights.begin(), 700, 24.0);
    EXPECT_NE(register_points(source, target, icp, run).target_from_source, plain.target_from_source);
  }
}

}  // namespace
}  // namespace dovetail
