// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "dovetail/machines.h"
#include "dovetail/prepare.h"
#include "dovetail/registration.h"
#include "dovetail/workspace.h"
#include "support/machines.h"
#include "support/messages.h"
#include "support/poses.h"
#include "support/shapes.h"
#include "support/tolerances.h"

// What a result says.

namespace dovetail {
namespace {

using namespace test;

class Result : public testing::TestWithParam<Metric> {
 protected:
  PointCloud target = bumpy_surface(3000, 11);
  Transform truth = motion({1, -2, 3}, 10, {0.04, -0.03, 0.05});
  PointCloud source = truth.inverse() * bumpy_surface(3000, 12);
  dovetail::Run run = on(Machine::cpu);
  Icp icp = [] {
    Icp options;
    options.metric = GetParam();
    return options;
  }();
};
INSTANTIATE_TEST_SUITE_P(Metrics, Result,
                         testing::Values(Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane),
                         testing::PrintToStringParamName());

TEST_P(Result, NamesWhatMadeIt) {
  run.seed = 99;
  icp.max_iterations = 44;
  const Registration r = register_points(source, target, icp, run);
  EXPECT_EQ(r.method, "icp");
  EXPECT_EQ(r.machine, "cpu");
  EXPECT_EQ(r.version, build_info().version);
  EXPECT_TRUE(mentions(r.build, build_info().compiler)) << r.build;
  EXPECT_EQ(r.target_from_source.model, Model::rigid3);
  EXPECT_EQ(std::get<Icp>(r.options).metric, GetParam());
  EXPECT_EQ(std::get<Icp>(r.options).max_iterations, 44);
  EXPECT_EQ(r.run.seed, 99u);
  EXPECT_EQ(r.points.source, 3000u);
  EXPECT_EQ(r.points.target, 3000u);
  EXPECT_EQ(r.points.dropped_non_finite + r.points.dropped_at_origin, 0u);
}

TEST_P(Result, ConvergedAndUsable) {
  const Registration r = register_points(source, target, icp, run);
  EXPECT_EQ(r.termination, Termination::converged);
  EXPECT_TRUE(r.usable());
  EXPECT_TRUE(mentions(r.message, "converged")) << r.message;
  EXPECT_TRUE(r.warnings.empty());
  EXPECT_GT(r.inlier_ratio, 0.9) << "the inlier distance is about the spacing here";
  EXPECT_GT(r.overlap, 0.95);
  EXPECT_GT(r.score, 0.8);
  EXPECT_LE(r.score, 1.0);
  EXPECT_LE(r.rmse, r.inlier_distance);
}

TEST_P(Result, SaysHowItEnded) {
  icp.max_iterations = 1;
  icp.tolerance = 1e-15;
  const Registration spent = register_points(source, target, icp, run);
  EXPECT_EQ(spent.termination, Termination::max_iterations);
  EXPECT_TRUE(spent.usable());
  EXPECT_TRUE(mentions(spent.message, "iteration")) << spent.message;
  run.on_iteration = [](const Iteration&) { return false; };
  const Registration stopped = register_points(source, target, icp, run);
  EXPECT_EQ(stopped.termination, Termination::stopped_by_callback);
  EXPECT_EQ(stopped.iterations, 1);
  EXPECT_FALSE(stopped.message.empty());
}

TEST_P(Result, TooFewInliersAreNotUsable) {
  const Registration r = register_points(source, target, icp, run);
  run.inlier_distance = 1e-7;
  run.min_inlier_ratio = 0.5;
  const Registration strict = register_points(source, target, icp, run);
  EXPECT_EQ(strict.target_from_source, r.target_from_source) << "what is asked of a result does not change it";
  EXPECT_FALSE(strict.usable());
  EXPECT_EQ(strict.inlier_distance, 1e-7);
  EXPECT_LT(strict.inlier_ratio, 0.5);
  EXPECT_TRUE(mentions(strict.message, "50.0%")) << strict.message;
  run.min_inlier_ratio = 0;
  EXPECT_TRUE(register_points(source, target, icp, run).usable());
}

/// rmse, inliers and overlap by their definition, over every source point.
TEST_P(Result, QualityIsWhatItsDefinitionSays) {
  const Registration r = register_points(source, target, icp, run);
  const double spacing = measure_scale(target).spacing;
  double inliers = 0, squares = 0, overlapping = 0;
  for (const Vec3& p : source.positions) {
    const Vec3 moved = r.target_from_source * p;
    double nearest = HUGE_VAL;
    for (const Vec3& q : target.positions) nearest = std::min(nearest, squared_norm(moved - q));
    if (std::sqrt(nearest) <= r.inlier_distance) ++inliers, squares += nearest;
    if (std::sqrt(nearest) <= 3 * spacing) ++overlapping;
  }
  EXPECT_NEAR(r.inlier_ratio, inliers / 3000, 1.1 / 3000) << "one point may be at the very edge";
  EXPECT_NEAR(r.overlap, overlapping / 3000, 2.1 / 3000);
  EXPECT_NEAR(r.rmse, std::sqrt(squares / inliers), 1e-5);
}

/// A finest level of voxels is a way to the pose; its worth is told over all points.
TEST_P(Result, QualityIsToldAtFullResolution) {
  for (const double voxel : {0.0, 0.03}) {
    icp.voxel = voxel;
    const Registration r = register_points(source, target, icp, run);
    const Registration e = evaluate_pose(source, target, r.target_from_source, run);
    SCOPED_TRACE(voxel);
    EXPECT_NEAR(e.rmse, r.rmse, 1e-7);
    EXPECT_EQ(e.inlier_distance, r.inlier_distance);
    EXPECT_NEAR(e.inlier_ratio, r.inlier_ratio, 1.1 / 3000);
    EXPECT_NEAR(e.overlap, r.overlap, 1.1 / 3000);
  }
}

TEST_P(Result, TheScoreIsThatOfAnEvaluation) {
  const Registration r = register_points(source, target, icp, run);
  const Registration e = evaluate_pose(source, target, r.target_from_source, run);
  EXPECT_NEAR(e.score, r.score, 1e-4);
}

TEST_P(Result, CovarianceIsSymmetricAndPositive) {
  const Registration r = register_points(source, target, icp, run);
  ASSERT_EQ(r.covariance.size(), 36u);
  // Cholesky's factorisation goes through for a positive definite matrix, and only then.
  double l[6][6] = {};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      EXPECT_EQ(r.covariance[6 * i + j], r.covariance[6 * j + i]);
      double sum = r.covariance[6 * i + j];
      for (std::size_t k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      if (i == j) {
        ASSERT_GT(sum, 0) << "pivot " << i;
      }
      l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
    }
  }
  const Vec3 place = r.target_from_source * centroid(source);
  EXPECT_LT(norm(r.covariance_center - place), 0.2) << "about a place where the data is";
}

TEST_P(Result, CovarianceHasTheUnitsOfTheFiles) {
  const Registration metres = register_points(source, target, icp, run);
  const Registration millimetres = register_points(scaled(source, 1000), scaled(target, 1000), icp, run);
  ASSERT_EQ(metres.covariance.size(), 36u);
  ASSERT_EQ(millimetres.covariance.size(), 36u);
  for (const std::size_t i : {0u, 7u, 14u}) {
    EXPECT_NEAR(millimetres.covariance[i], metres.covariance[i], 0.01 * metres.covariance[i]) << "radians";
  }
  for (const std::size_t i : {21u, 28u, 35u}) {
    EXPECT_NEAR(millimetres.covariance[i], 1e6 * metres.covariance[i], 1e4 * metres.covariance[i]) << "lengths";
  }
}

TEST_P(Result, CovarianceInThePlaneIsThreeByThree) {
  const PointCloud t = curve(2000, 11), s = motion2(5, 0.02, 0.01).inverse() * curve(2000, 12);
  const Registration r = register_points(s, t, icp, run);
  EXPECT_EQ(r.target_from_source.model, Model::rigid2);
  ASSERT_EQ(r.covariance.size(), 9u);
  for (const std::size_t i : {0u, 4u, 8u}) EXPECT_GT(r.covariance[i], 0);
}

TEST_P(Result, AKeptWorkspaceGivesTheSameAnswers) {
  const Registration fresh = register_points(source, target, icp, run);
  Workspace workspace(Machine::cpu, 0, 2);
  run.machine = Machine::automatic;
  run.workspace = &workspace;
  for (int i = 0; i < 2; ++i) {
    const Registration kept = register_points(source, target, icp, run);
    EXPECT_EQ(kept.target_from_source, fresh.target_from_source);
    EXPECT_EQ(kept.machine, "cpu");
  }
}

TEST(ResultOfEvaluation, MovesNothing) {
  const PointCloud cloud = bumpy_surface(2000);
  const Transform pose = motion({1, 2, 3}, 4, {0.01, 0.02, 0});
  const Registration r = evaluate_pose(cloud, cloud, pose, on(Machine::cpu));
  EXPECT_EQ(r.target_from_source, pose);
  EXPECT_EQ(r.iterations, 0);
  const Registration exact = evaluate_pose(cloud, cloud, Transform(), on(Machine::cpu));
  EXPECT_EQ(exact.rmse, 0);
  EXPECT_EQ(exact.inlier_ratio, 1);
  EXPECT_EQ(exact.overlap, 1);
  EXPECT_NEAR(exact.score, 1, 1e-6) << "the cosine of a float normal with itself";
  EXPECT_TRUE(exact.usable());
  EXPECT_LT(r.score, exact.score);
  const Registration away = evaluate_pose(cloud, cloud, motion({0, 0, 1}, 0, {9, 0, 0}), on(Machine::cpu));
  EXPECT_FALSE(away.usable());
  EXPECT_EQ(away.inlier_ratio, 0);
}

}  // namespace
}  // namespace dovetail
