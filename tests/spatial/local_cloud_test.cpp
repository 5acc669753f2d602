// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/local_cloud.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "spatial/sample_points.h"

namespace dovetail {
namespace {

std::vector<std::uint32_t> all_of(const PointCloud& cloud) {
  std::vector<std::uint32_t> kept(cloud.size());
  std::iota(kept.begin(), kept.end(), 0u);
  return kept;
}

TEST(LocalScale, IsThePowerOfTwoThatBringsALengthIntoTheUpperHalfOfOne) {
  for (const double length : {1e-300, 1e-9, 0.3, 0.5, 1.0, 1.5, 7e5, 1e150}) {
    const double scale = local_scale(length);
    EXPECT_GE(length * scale, 0.5) << length;
    EXPECT_LT(length * scale, 1.0) << length;
    int exponent = 0;
    EXPECT_EQ(std::frexp(scale, &exponent), 0.5) << length;
  }
}

TEST(LocalScale, IsFiniteForAnyLength) {
  EXPECT_EQ(local_scale(0), 1);
  EXPECT_EQ(local_scale(std::nan("")), 1);
  EXPECT_EQ(local_scale(std::numeric_limits<double>::infinity()), 1);
  const double tiny = local_scale(std::numeric_limits<double>::denorm_min());
  EXPECT_TRUE(std::isfinite(tiny) && std::isfinite(1 / tiny));
}

TEST(LocalCloud, LargeCoordinatesLoseAtMostAFloatOfTheExtent) {
  PointCloud cloud;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    cloud.positions.push_back(Vec3{500'000.123, 5'800'000.456, 80.789} +
                              100.0 * test::uniform_point(1, i).cast<double>());
  }
  const auto kept = all_of(cloud);
  const Bounds bounds = main_bounds(cloud.positions, kept);
  const LocalFrame frame = local_frame(bounds, local_scale(bounds.longest_side()));
  const LocalCloud local = make_local_cloud(cloud, kept, frame);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Vec3 back = frame.from_local({local.x[i], local.y[i], local.z[i]});
    EXPECT_LE(std::abs(local.x[i]), 0.5f);
    // Half a unit in the last place of a float up to 0.5, in local units; the double's own rounding is far below.
    EXPECT_LE(norm(back - cloud.positions[i]) * frame.scale, std::sqrt(3.0) * 0x1p-26 * 1.01);
  }
}

TEST(LocalCloud, KeepsTheChosenPointsAndTheirUnitNormals) {
  PointCloud cloud;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  cloud.normals = {{0, 0, 1}, {0, 3, 4}, {0, 0, 0}, {std::nanf(""), 0, 0}};
  const std::vector<std::uint32_t> kept = {1, 2, 3};
  const LocalCloud local = make_local_cloud(cloud, kept, {{1, 0, 0}, 0.5});
  EXPECT_EQ(local.x, (std::vector<float>{0, 0.5f, 1}));
  EXPECT_EQ(local.index, kept);
  EXPECT_EQ(local.ny, (std::vector<float>{0.6f, 0, 0}));
  EXPECT_EQ(local.nz, (std::vector<float>{0.8f, 0, 0}));
  EXPECT_TRUE(local.weight.empty());
}

TEST(LocalCloud, GatherPutsEveryArrayIntoTheOrder) {
  const LocalCloud cloud{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {}, {}, {}, {0.1f, 0.2f, 0.3f}, {10, 20, 30}};
  const LocalCloud result = gather(cloud, std::vector<std::uint32_t>{2, 0});
  EXPECT_EQ(result.x, (std::vector<float>{3, 1}));
  EXPECT_EQ(result.z, (std::vector<float>{9, 7}));
  EXPECT_EQ(result.weight, (std::vector<float>{0.3f, 0.1f}));
  EXPECT_EQ(result.index, (std::vector<std::uint32_t>{30, 10}));
  EXPECT_FALSE(result.has_normals());
}

TEST(MainBounds, AFewPointsFarOutDoNotCount) {
  PointCloud cloud;
  for (std::uint64_t i = 0; i < 1000; ++i) cloud.positions.push_back(test::uniform_point(2, i).cast<double>());
  const auto kept = all_of(cloud);
  EXPECT_EQ(main_bounds(cloud.positions, kept).high, bounds_of(cloud.positions, kept).high);
  cloud.positions[5] = {3, 0, 0};  // costs the others a bit or two, which is what a float has to spare
  EXPECT_EQ(main_bounds(cloud.positions, kept).high[0], 3);
  cloud.positions[5] = {1e5, 0, 0};
  EXPECT_LE(main_bounds(cloud.positions, kept).high[0], 0.5);
}

TEST(MainBounds, OfNothingAndOfOnePoint) {
  EXPECT_TRUE(main_bounds({}, {}).empty());
  EXPECT_EQ(main_bounds({}, {}).center(), Vec3{});
  const std::vector<Vec3> one = {{1, 2, 3}};
  EXPECT_EQ(main_bounds(one, std::vector<std::uint32_t>{0}).center(), one[0]);
}

}  // namespace
}  // namespace dovetail
