// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cstdio>

#include "dovetail/prepare.h"
#include "icp/property_cases.h"
#include "support/truth.h"

// Other real data with default options, against the truth that comes with it.

namespace dovetail {
namespace {

using namespace test;

void expect_and_report(const std::string& what, const Registration& r, const Transform& truth, const PointCloud& source,
                       double degrees, double shift) {
  const PoseError e = pose_error(r.target_from_source, truth, source);
  report(what, e.degrees, e.shift);
  expect_near(r, truth, source, degrees, shift);
}

/// Raw files: rays that did not come back are at the origin.
TEST(AccuracyData, LidarFromTheIdentity) {
  DOVETAIL_NEEDS_DATA();
  const PointCloud source = data_points("lidar_pair/source.ply"), target = data_points("lidar_pair/target.ply");
  const Transform truth = pose_in_text("lidar_pair/T_target_source.txt");
  const Registration r = register_points(source, target, {}, on(Machine::cpu));
  expect_and_report("lidar", r, truth, source, 0.3, 0.06);
  const auto at_origin = [](const PointCloud& cloud) {
    return static_cast<std::size_t>(std::count(cloud.positions.begin(), cloud.positions.end(), Vec3{}));
  };
  EXPECT_GT(at_origin(source), 4000u);
  EXPECT_GT(at_origin(target), 4000u);
  EXPECT_EQ(r.points.dropped_at_origin, at_origin(source) + at_origin(target));
  EXPECT_EQ(r.points.source, source.size() - at_origin(source));
  EXPECT_EQ(r.points.target, target.size() - at_origin(target));
}

TEST(AccuracyData, MilkInItsScene) {
  DOVETAIL_NEEDS_DATA();
  const PointCloud source = data_points("pcl/milk.pcd");
  const PointCloud target = data_points("pcl/milk_cartoon_all_small_clorox.pcd");
  const nlohmann::json json = data_json("pcl/scene_from_milk.json")["T_scene_model"];
  Mat4 m{};
  for (int i = 0; i < 16; ++i)
    m[i] = json[static_cast<std::size_t>(i / 4)][static_cast<std::size_t>(i % 4)].get<double>();
  const Transform truth = Transform::from_matrix(Model::rigid3, m);
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{1, -1, 1}}) {
    auto run = on(Machine::cpu);
    run.start = motion(axis, 10, (0.02 / norm(axis)) * axis, truth * centroid(source)) * truth;
    expect_and_report("milk", register_points(source, target, {}, run), truth, source, 0.05, 0.2e-3);
  }
}

/// Exact pairs in another order: the residual of the truth itself is 5e-7.
TEST(AccuracyData, ThePairsOfTheEmIcpPaper) {
  DOVETAIL_NEEDS_DATA();
  const nlohmann::json cases = data_json("em_icp_bunny/p_from_qnew.json")["cases"];
  for (const char* size : {"504", "1007", "5032"}) {
    const PointCloud source = data_points(std::string("em_icp_bunny/Qnew") + size + ".txt");
    const PointCloud target = data_points(std::string("em_icp_bunny/P") + size + ".txt");
    const Transform truth = pose_of(cases[size]["R_P_from_Q"], cases[size]["t"]);
    auto run = on(Machine::cpu);
    run.start = motion({1, -1, 2}, 12, {0.004, 0.003, -0.005}, truth * centroid(source)) * truth;
    expect_and_report(std::string("em_icp_") + size, register_points(source, target, {}, run), truth, source, 0.01,
                      1e-5);
  }
}

TEST(AccuracyData, PartialViews) {
  DOVETAIL_NEEDS_DATA();
  for (const char* pair : {"no_noise_01", "no_noise_02", "no_noise_03", "noise_xyz_level_01_01"}) {
    const std::string folder = std::string("partial_views/pairwise_") + pair + "_rot_05/";
    const PointCloud source = data_points(folder + "Depth_0001.ply"), target = data_points(folder + "Depth_0000.ply");
    const Transform truth = pose_in_text(folder + "gt.log", 3);
    auto run = on(Machine::cpu);
    run.start = motion({1, 2, -1}, 10, {0, 0, 0}, truth * centroid(source)) * truth;
    SCOPED_TRACE(pair);
    const double extent = measure_scale(source).extent;
    expect_and_report(pair, register_points(source, target, {}, run), truth, source, 0.5, 0.01 * extent);
  }
}

TEST(AccuracyData, LaserScansOfBoxesInThePlane) {
  DOVETAIL_NEEDS_DATA();
  for (const char* file : {"planar/2D_oneBox.csv", "planar/2D_twoBoxes.csv"}) {
    const PointCloud target = data_points(file);
    ASSERT_EQ(target.dimension, 2);
    const Transform truth = motion2(8, 0.05, -0.04);
    const PointCloud source = truth.inverse() * target;
    for (const Metric metric : {Metric::point_to_point, Metric::point_to_plane, Metric::plane_to_plane}) {
      SCOPED_TRACE(std::string(file) + " " + testing::PrintToString(metric));
      const Registration r = register_points(source, target, with_metric(metric), on(Machine::cpu));
      EXPECT_EQ(r.target_from_source.model, Model::rigid2);
      expect_and_report(file, r, truth, source, exact_tolerance(metric) / degree, 2 * exact_tolerance(metric));
    }
  }
}

}  // namespace
}  // namespace dovetail
