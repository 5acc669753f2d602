// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/voxel_grid.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "dovetail/error.h"
#include "spatial/sample_points.h"
#include "spatial/threads.h"

namespace dovetail {
namespace {

LocalCloud make_cloud(const test::Shape& shape, std::size_t size) {
  LocalCloud cloud;
  cloud.index = test::scrambled_indices(size);
  for (std::size_t i = 0; i < size; ++i) {
    const Vec3f p = shape.point(i), n = test::uniform_point(50, i);
    const float length = norm(n);
    cloud.x.push_back(p[0]), cloud.y.push_back(p[1]), cloud.z.push_back(p[2]);
    cloud.nx.push_back(n[0] / length), cloud.ny.push_back(n[1] / length), cloud.nz.push_back(n[2] / length);
    cloud.weight.push_back(float(i % 5));
  }
  return cloud;
}

// The obvious way: a map from cell to the points in it, keyed by their index.
using Cells = std::map<std::array<int, 3>, std::map<std::uint32_t, std::size_t>>;

Cells cells_of(const LocalCloud& cloud, double voxel) {
  Cells cells;
  const auto cell = [voxel](float value) { return int(std::floor(value / voxel)); };
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    cells[{cell(cloud.x[i]), cell(cloud.y[i]), cell(cloud.z[i])}][cloud.index[i]] = i;
  }
  return cells;
}

TEST(VoxelGrid, AgreesWithTheObviousMap) {
  for (const test::Shape& shape : test::shapes()) {
    for (const std::size_t size : test::awkward_sizes) {
      SCOPED_TRACE(shape.name + " of " + std::to_string(size));
      const LocalCloud cloud = make_cloud(shape, size);
      const double voxel = 0.07;
      const LocalCloud result = voxel_downsample(cloud, voxel);
      const Cells cells = cells_of(cloud, voxel);
      ASSERT_EQ(result.size(), cells.size());
      std::map<std::uint32_t, std::size_t> by_index;
      for (std::size_t i = 0; i < result.size(); ++i) by_index[result.index[i]] = i;
      for (const auto& [cell, members] : cells) {
        ASSERT_TRUE(by_index.contains(members.begin()->first));
        const std::size_t r = by_index[members.begin()->first];
        Vec3 weighted{}, plain{}, normal{}, first{};
        double weight = 0;
        for (const auto& [index, i] : members) {
          const Vec3 p = {cloud.x[i], cloud.y[i], cloud.z[i]}, n = {cloud.nx[i], cloud.ny[i], cloud.nz[i]};
          weighted += double(cloud.weight[i]) * p, plain += p, weight += double(cloud.weight[i]);
          if (first == Vec3{}) first = n;
          normal += dot(n, first) < 0 ? -n : n;
        }
        const Vec3 mean = weight > 0 ? weighted * (1 / weight) : plain * (1 / double(members.size()));
        // One rounding to float; the sums in double are the same up to their last bits.
        EXPECT_NEAR(result.x[r], mean[0], 1e-7);
        EXPECT_NEAR(result.y[r], mean[1], 1e-7);
        EXPECT_NEAR(result.z[r], mean[2], 1e-7);
        EXPECT_NEAR(result.weight[r], weight / double(members.size()), 1e-6);
        EXPECT_NEAR(result.nx[r], normal[0] / norm(normal), 1e-6);
        EXPECT_NEAR(result.nz[r], normal[2] / norm(normal), 1e-6);
      }
    }
  }
}

TEST(VoxelGrid, IsTheSameOnAnyNumberOfThreadsAndInAnyOrder) {
  const LocalCloud cloud = make_cloud(test::shapes()[0], 30011);
  const auto run = [](const LocalCloud& input, int threads) {
    return test::on_threads(threads, [&] { return voxel_downsample(input, 0.05); });
  };
  std::vector<std::uint32_t> backwards(cloud.size());
  for (std::uint32_t i = 0; i < backwards.size(); ++i) backwards[i] = std::uint32_t(cloud.size()) - 1 - i;
  const LocalCloud expected = run(cloud, 1);
  for (const LocalCloud& other : {run(cloud, 2), run(cloud, 5), run(gather(cloud, backwards), 2)}) {
    EXPECT_EQ(expected.x, other.x);
    EXPECT_EQ(expected.y, other.y);
    EXPECT_EQ(expected.nz, other.nz);
    EXPECT_EQ(expected.weight, other.weight);
    EXPECT_EQ(expected.index, other.index);
  }
}

TEST(VoxelGrid, OppositeNormalsDoNotCancel) {
  const LocalCloud cloud{{0.1f, 0.2f}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, -1}, {}, {0, 1}};
  const LocalCloud result = voxel_downsample(cloud, 1);
  ASSERT_EQ(result.size(), 1u);
  EXPECT_EQ(result.nz[0], 1);
  EXPECT_TRUE(result.weight.empty());
}

TEST(VoxelGrid, UnknownNormalsDoNotCount) {
  const LocalCloud cloud{{0.1f, 0.2f, 5}, {0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 0, 0}, {}, {0, 1, 2}};
  const LocalCloud result = voxel_downsample(cloud, 1);
  EXPECT_EQ(result.nx, (std::vector<float>{1, 0}));
}

TEST(VoxelGrid, VoxelsTooSmallToCountKeepDistinctPointsApart) {
  const LocalCloud cloud = make_cloud(test::shapes()[0], 1000);
  EXPECT_EQ(voxel_downsample(cloud, std::numeric_limits<double>::denorm_min()).size(), 1000u);
  const LocalCloud same = make_cloud(test::shapes()[6], 1000);
  EXPECT_EQ(voxel_downsample(same, std::numeric_limits<double>::denorm_min()).size(), 1u);
}

TEST(VoxelGrid, OnePointFarAwayDoesNotCoarsenTheRest) {
  LocalCloud cloud = make_cloud(test::shapes()[0], 1000);
  const std::size_t before = voxel_downsample(cloud, 0.07).size();
  cloud.x[0] = 1e6f;
  EXPECT_NEAR(double(voxel_downsample(cloud, 0.07).size()), double(before), 1);
}

TEST(VoxelGrid, RefusesAVoxelThatIsNoLength) {
  for (const double voxel : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(voxel_downsample({}, voxel), InvalidArgument) << voxel;
  }
}

}  // namespace
}  // namespace dovetail
