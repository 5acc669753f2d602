// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "backend/cuda/distance_field.h"
#include "field_gpu/oracle.h"
#include "support/machines.h"

namespace dovetail {
namespace {

using namespace test;

using DenseFieldOnTheGpu = NeedsCuda<testing::Test>;

Numbers built(const FieldGrid& grid, const Keys& keys, cuda::Workspace& workspace) {
  workspace.reset();
  Memory& memory = *workspace.memory();
  Keeper keeper;
  const std::uint64_t* const on_device = memory.put(std::span<const std::uint64_t>(keys), keeper);
  const Numbers unwritten(grid.size(), 0xeeeeeeeeu);  // what is not written shows
  auto* const nearest = const_cast<std::uint32_t*>(memory.put(std::span<const std::uint32_t>(unwritten), keeper));
  cuda::build_dense_field(grid, on_device, static_cast<std::uint32_t>(keys.size()), nearest, workspace);
  return memory.get(nearest, grid.size());
}

void expect_right(const FieldGrid& grid, const Keys& keys, cuda::Workspace& workspace) {
  const Numbers found = built(grid, keys, workspace), right = nearest_by_lines(grid, keys);
  for (std::size_t i = 0; i < right.size(); ++i) {
    ASSERT_EQ(found[i], right[i]) << "cell " << i << " of " << grid.cells[0] << " x " << grid.cells[1] << " x "
                                  << grid.cells[2] << ", " << keys.size() << " seeds";
  }
}

constexpr std::uint32_t awkward[] = {1, 2, 31, 32, 33, 63, 65, 100, 127, 257};

TEST_F(DenseFieldOnTheGpu, AwkwardSquares) {
  cuda::Workspace workspace;
  unsigned seed = 0;
  for (const std::uint32_t x : awkward) {
    for (const std::uint32_t y : awkward) {
      const FieldGrid grid = grid_of(x, y);
      const double size = static_cast<double>(grid.size());
      for (const double wanted : {1.0, 2.0, 0.01 * size, 0.3 * size, size}) {
        expect_right(grid, random_keys(grid, wanted, ++seed), workspace);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(DenseFieldOnTheGpu, AwkwardCubes) {
  cuda::Workspace workspace;
  unsigned seed = 1000;
  for (const std::uint32_t x : awkward) {
    for (const std::uint32_t y : awkward) {
      for (const std::uint32_t z : {1u, 2u, 33u, 257u}) {
        const FieldGrid grid = grid_of(x, y, z);
        const double size = static_cast<double>(grid.size());
        if (size > 150'000) continue;
        for (const double wanted : {1.0, 2.0, 0.01 * size, 0.3 * size}) {
          expect_right(grid, random_keys(grid, wanted, ++seed), workspace);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
  expect_right(grid_of(40, 33, 35), random_keys(grid_of(40, 33, 35), 1e9, 0), workspace);
}

TEST_F(DenseFieldOnTheGpu, TiesGoToTheLowerSeed) {
  cuda::Workspace workspace;
  for (const FieldGrid& grid : {grid_of(129, 97), grid_of(49, 33, 65), grid_of(70, 700), grid_of(33, 5, 700)}) {
    for (const std::uint32_t apart : {2u, 4u, 6u, 8u, 32u}) {  // a lattice: nearly every cell lies between two seeds
      Keys keys;
      for (std::uint32_t z = 0; z < grid.cells[2]; z += apart)
        for (std::uint32_t y = 0; y < grid.cells[1]; y += apart)
          for (std::uint32_t x = 0; x < grid.cells[0]; x += apart) keys.push_back(cell_key(x, y, z));
      expect_right(grid, keys, workspace);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(DenseFieldOnTheGpu, EmptyRowsAndPlanes) {
  cuda::Workspace workspace;
  const FieldGrid grid = grid_of(90, 70, 110);
  Keys keys;
  for (const std::uint64_t key : random_keys(grid, 3000, 7)) {
    if (key_z(key) % 40 == 3 && key_y(key) % 16 == 5) keys.push_back(key);
  }
  ASSERT_GT(keys.size(), 3u);
  expect_right(grid, keys, workspace);
}

TEST_F(DenseFieldOnTheGpu, LongLines) {
  cuda::Workspace workspace;
  unsigned seed = 2000;
  for (const FieldGrid& grid :
       {grid_of(40, 5000), grid_of(3, 26000), grid_of(26000, 3), grid_of(20, 513), grid_of(100, 600),
        grid_of(5, 7, 2000), grid_of(33, 700, 3), grid_of(70, 3, 5000), grid_of(2, 600, 600), grid_of(1, 1, 26000)}) {
    const double size = static_cast<double>(grid.size());
    for (const double wanted : {1.0, 5.0, 0.0005 * size, 0.01 * size, 0.2 * size}) {
      expect_right(grid, random_keys(grid, wanted, ++seed), workspace);
      if (HasFatalFailure()) return;
    }
  }
}

// Rows in the middle have their seeds far away at both ends of the line, with many worse candidates between.
TEST_F(DenseFieldOnTheGpu, LinesWithMoreCandidatesThanFitATile) {
  cuda::Workspace workspace;
  for (const bool along_z : {false, true}) {
    const FieldGrid grid = along_z ? grid_of(1200, 2, 2600) : grid_of(2600, 6000);
    const std::uint32_t last = grid.cells[along_z ? 2 : 1];
    Keys keys;
    const auto add = [&](std::uint32_t x, std::uint32_t row) {
      keys.push_back(along_z ? cell_key(x, 1, row) : cell_key(x, row, 0));
    };
    for (std::uint32_t row = 0; row < last; ++row) add(grid.cells[0] - 1, row);
    for (std::uint32_t x = 0; x < 70; x += 3) add(x, last / 6), add(x, last - last / 6 - x);
    expect_right(grid, sorted(keys), workspace);
    if (HasFatalFailure()) return;
  }
}

TEST_F(DenseFieldOnTheGpu, LargeGrids) {
  cuda::Workspace workspace;
  const FieldGrid cube = grid_of(256, 256, 256), square = grid_of(4096, 4096);
  for (const double wanted : {1.0, 1'700.0, 170'000.0}) {
    expect_right(cube, random_keys(cube, wanted, 3), workspace);
    expect_right(square, random_keys(square, wanted, 4), workspace);
    if (HasFatalFailure()) return;
  }
  const FieldGrid wide = grid_of(26000, 300);
  expect_right(wide, random_keys(wide, 20'000, 5), workspace);
  Keys diagonal;
  for (std::uint32_t i = 0; i < 4096; ++i) diagonal.push_back(cell_key(i / 2 + 100, i, 0));
  expect_right(square, diagonal, workspace);
}

TEST_F(DenseFieldOnTheGpu, SameBitsAgain) {
  cuda::Workspace workspace;
  const FieldGrid grid = grid_of(200, 150, 130);
  const Keys keys = random_keys(grid, 5000, 11);
  const Numbers once = built(grid, keys, workspace);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(built(grid, keys, workspace), once);
}

TEST_F(DenseFieldOnTheGpu, NoSeedsAreRefused) {
  cuda::Workspace workspace;
  EXPECT_THROW(cuda::build_dense_field(grid_of(4, 4), nullptr, 0, nullptr, workspace), InvalidArgument);
}

}  // namespace
}  // namespace dovetail
