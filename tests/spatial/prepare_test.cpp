// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/prepare.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dovetail/error.h"
#include "spatial/sample_points.h"

namespace dovetail {
namespace {

const Vec3 far_origin = {500'000, 5'800'000, 100};

// Four points in two voxels of side 1, and one invalid; far from zero.
PointCloud small_cloud() {
  PointCloud cloud;
  cloud.positions = {{0.25, 0.5, 0.5}, {1.5, 0.5, 0.5}, {std::nan(""), 0, 0}, {0.75, 0.5, 0.5}, {0.5, 0.5, 0.5}};
  for (Vec3& p : cloud.positions) p += far_origin;
  cloud.normals = {{0, 0, 1}, {1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {0, 0, 0}};
  cloud.colors = {{10, 20, 30, 255}, {1, 2, 3, 4}, {0, 0, 0, 0}, {20, 20, 30, 255}, {31, 20, 30, 255}};
  cloud.attributes = {{"intensity", 1, std::vector<std::uint16_t>{5, 6, 7, 8, 9}},
                      {"uv", 2, std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}};
  cloud.faces.add({0, 1, 2});
  cloud.faces.add({0, 3, 4});
  return cloud;
}

TEST(Prepare, DropInvalidKeepsEverythingOfTheRest) {
  DroppedPoints dropped;
  const PointCloud valid = drop_invalid(small_cloud(), &dropped);
  EXPECT_EQ(dropped.non_finite, 1u);
  EXPECT_EQ(dropped.at_origin, 0u);
  ASSERT_EQ(valid.size(), 4u);
  EXPECT_EQ(valid.positions[2], (far_origin + Vec3{0.75, 0.5, 0.5}));
  EXPECT_EQ(valid.normals[2], (Vec3f{0, 0, -1}));
  EXPECT_EQ(valid.colors[2][0], 20);
  EXPECT_EQ(std::get<std::vector<std::uint16_t>>(valid.attributes[0].values), (std::vector<std::uint16_t>{5, 6, 8, 9}));
  EXPECT_EQ(std::get<std::vector<float>>(valid.attributes[1].values), (std::vector<float>{0, 1, 2, 3, 6, 7, 8, 9}));
  ASSERT_EQ(valid.faces.size(), 1u);
  EXPECT_EQ(valid.faces.index, (std::vector<std::uint32_t>{0, 2, 3}));
}

TEST(Prepare, DropInvalidLeavesAValidCloudOrganised) {
  PointCloud cloud;
  cloud.positions = {{1, 0, 0}, {2, 0, 0}};
  cloud.width = 2, cloud.height = 1;
  EXPECT_TRUE(drop_invalid(cloud).organised());
  cloud.positions[1][0] = std::nan("");
  EXPECT_FALSE(drop_invalid(cloud).organised());
}

TEST(Prepare, DropInvalidTakesTheRuleForTheOrigin) {
  PointCloud cloud;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}};
  DroppedPoints dropped;
  EXPECT_EQ(drop_invalid(cloud, &dropped).size(), 2u);
  EXPECT_EQ(drop_invalid(cloud, &dropped, OriginPoints::drop).size(), 1u);
  EXPECT_EQ(dropped.at_origin, 1u);
}

TEST(Prepare, DownsampleTakesMeans) {
  const PointCloud result = downsample(small_cloud(), 1);
  ASSERT_EQ(result.size(), 2u);
  EXPECT_EQ(result.positions[0], (far_origin + Vec3{0.5, 0.5, 0.5}));
  EXPECT_EQ(result.positions[1], (far_origin + Vec3{1.5, 0.5, 0.5}));
  EXPECT_EQ(result.normals[0], (Vec3f{0, 0, 1}));
  EXPECT_EQ(result.colors[0], (std::array<std::uint8_t, 4>{20, 20, 30, 255}));
  EXPECT_EQ(std::get<std::vector<std::uint16_t>>(result.attributes[0].values), (std::vector<std::uint16_t>{5, 6}));
  EXPECT_TRUE(result.faces.empty());
  EXPECT_TRUE(downsample({}, 1).empty());
  EXPECT_THROW(downsample(small_cloud(), 0), InvalidArgument);
}

TEST(Prepare, MeasureScaleIsInTheCloudsUnits) {
  PointCloud cloud;
  for (int i = 0; i < 100; ++i) cloud.positions.push_back(far_origin + Vec3{0.01 * (i % 10), 0.01 * (i / 10), 0});
  cloud.positions.push_back({std::nan(""), 0, 0});
  const CloudScale scale = measure_scale(cloud);
  EXPECT_NEAR(scale.extent, 0.09 * std::sqrt(2.0), 1e-7);  // float coordinates: 6e-8 of the extent
  EXPECT_NEAR(scale.spacing, 0.01, 1e-7);
  EXPECT_EQ(measure_scale({}).extent, 0);
}

TEST(Prepare, EstimateNormalsOfAWallSeenFromASensor) {
  PointCloud cloud;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3 p = test::uniform_point(70, i).cast<double>();
    cloud.positions.push_back(far_origin + Vec3{10 * p[0], 2.0, 10 * p[2]});
  }
  cloud.positions.push_back({0, std::nan(""), 0});
  estimate_normals(cloud, {.viewpoint = far_origin});
  ASSERT_EQ(cloud.normals.size(), cloud.size());
  EXPECT_EQ(cloud.normals.back(), Vec3f{});
  cloud.normals.pop_back();
  for (const Vec3f& n : cloud.normals) EXPECT_EQ(n, (Vec3f{0, -1, 0}));
}

TEST(Prepare, EstimateNormalsIsUnmovedByAPointAtInfinity) {
  PointCloud cloud;
  for (int i = 0; i < 400; ++i) cloud.positions.push_back({0.1 * (i % 20), 0.1 * (i / 20), 0.5});
  PointCloud marked = cloud;
  marked.positions.push_back({3.4e38, 0, 0});
  estimate_normals(cloud);
  estimate_normals(marked);
  EXPECT_EQ(cloud.normals[200], (Vec3f{0, 0, 1}));
  EXPECT_EQ(marked.normals[200], (Vec3f{0, 0, 1}));
  EXPECT_EQ(marked.normals.back(), Vec3f{});
}

TEST(Prepare, EstimateNormalsNamesABadOption) {
  PointCloud cloud;
  for (const int neighbours : {2, 33, -1}) {
    EXPECT_THROW(estimate_normals(cloud, {.neighbours = neighbours}), InvalidArgument);
  }
  EXPECT_NO_THROW(estimate_normals(cloud));
}

}  // namespace
}  // namespace dovetail
