// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

#include "backend/cuda/distance_field.h"
#include "spatial/distance_field.h"
#include "support/machines.h"

namespace dovetail {
namespace {

using namespace test;

using SeedsOnTheGpu = NeedsCuda<testing::Test>;

/// Points on a lattice half the size of the cells, so that many are equally far from a centre, and points anywhere.
LocalCloud some_points(const FieldGrid& grid, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  LocalCloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    float at[3] = {0, 0, 0};
    for (int a = 0; a < grid.dimension; ++a) {
      const float side = static_cast<float>(grid.cells[a]) * grid.cell;
      float offset = std::uniform_real_distribution<float>(0, side)(random);
      if (i % 2 == 0) offset = std::floor(offset * 2 * grid.per_unit) / 2 * grid.cell;
      at[a] = grid.origin[a] + offset;
    }
    cloud.x.push_back(at[0]), cloud.y.push_back(at[1]), cloud.z.push_back(at[2]);
  }
  cloud.index.resize(count);
  std::iota(cloud.index.begin(), cloud.index.end(), 5u);
  std::shuffle(cloud.index.begin(), cloud.index.end(), random);
  return cloud;
}

TEST_F(SeedsOnTheGpu, AreThoseOfTheHost) {
  cuda::Workspace workspace;
  for (const int dimension : {2, 3}) {
    for (const std::size_t count : {1, 2, 100, 5000, 200'000}) {
      FieldGrid grid;
      grid.dimension = dimension;
      grid.cells[0] = 70, grid.cells[1] = 31, grid.cells[2] = dimension == 3 ? 50 : 1;
      grid.origin[0] = -0.3f, grid.origin[1] = 0.013f, grid.origin[2] = dimension == 3 ? -0.7f : 0;
      grid.cell = 1.0f / 64, grid.per_unit = 64;
      const LocalCloud cloud = some_points(grid, count, static_cast<unsigned>(count));
      const Seeds right = make_seeds(grid, cloud);

      workspace.reset();
      const cudaStream_t stream = workspace.stream();
      const DeviceBuffer<float> x(cloud.x, stream), y(cloud.y, stream), z(cloud.z, stream);
      const DeviceBuffer<std::uint32_t> index(cloud.index, stream);
      const cuda::DeviceSeeds seeds = cuda::make_seeds_cuda(
          grid, {x.data(), y.data(), z.data(), index.data(), nullptr, static_cast<std::uint32_t>(count)}, workspace);
      ASSERT_EQ(seeds.count, right.keys.size());
      std::vector<std::uint64_t> keys(seeds.count);
      std::vector<Site> sites(seeds.count);
      seeds.keys.download(keys);
      seeds.sites.download(sites);
      check_cuda(cudaStreamSynchronize(stream), "waiting");
      EXPECT_EQ(keys, right.keys);
      EXPECT_EQ(std::memcmp(sites.data(), right.sites.data(), sites.size() * sizeof(Site)), 0);
    }
  }
}

}  // namespace
}  // namespace dovetail
