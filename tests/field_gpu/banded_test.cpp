// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "backend/cuda/distance_field.h"
#include "field_gpu/oracle.h"
#include "support/machines.h"

namespace dovetail {
namespace {

using namespace test;

using BandedFieldOnTheGpu = NeedsCuda<testing::Test>;

void expect_right(const FieldGrid& grid, const Keys& keys, std::uint32_t band, cuda::Workspace& workspace) {
  workspace.reset();
  FieldLevel level;
  level.grid = grid;
  level.band = band;
  level.tiles = make_tiles(grid, keys, band);
  level.nearest.assign(level.stored_cells(), 0xeeeeeeeeu);  // what is not written shows
  Memory& memory = *workspace.memory();
  Keeper keeper;
  const std::uint64_t* const on_device = memory.put(std::span<const std::uint64_t>(keys), keeper);
  const cuda::DeviceTiles tiles{memory.put(level.tiles.slot, keeper), memory.put(level.tiles.stored, keeper),
                                static_cast<std::uint32_t>(level.tiles.stored.size())};
  auto* const nearest = const_cast<std::uint32_t*>(memory.put(level.nearest, keeper));
  cuda::build_banded_field(grid, on_device, static_cast<std::uint32_t>(keys.size()), band, tiles, nearest, workspace);
  level.nearest = memory.get(nearest, level.stored_cells());

  const Numbers right = nearest_by_lines(grid, keys);
  const FieldView view = level.view();
  for (std::uint32_t z = 0; z < grid.cells[2]; ++z)
    for (std::uint32_t y = 0; y < grid.cells[1]; ++y)
      for (std::uint32_t x = 0; x < grid.cells[0]; ++x) {
        const std::uint64_t place = grid.dimension == 2 ? view.stored_at<2>(x, y, z) : view.stored_at<3>(x, y, z);
        const std::uint32_t found = place == FieldView::no_cell ? no_site : level.nearest[place];
        const std::uint32_t dense = right[grid.index(x, y, z)];
        const bool near = squared_cells(keys[dense], cell_key(x, y, z)) <= std::uint64_t{band} * band;
        ASSERT_EQ(found, near ? dense : no_site)
            << "cell " << x << ", " << y << ", " << z << " of " << grid.cells[0] << " x " << grid.cells[1] << " x "
            << grid.cells[2] << ", band " << band << ", " << keys.size() << " seeds";
      }
}

TEST_F(BandedFieldOnTheGpu, MatchesTheDenseFieldWithinTheBand) {
  cuda::Workspace workspace;
  unsigned seed = 0;
  for (const FieldGrid& grid :
       {grid_of(1, 1), grid_of(16, 16), grid_of(17, 300), grid_of(300, 17), grid_of(500, 400), grid_of(8, 8, 8),
        grid_of(1, 1, 1), grid_of(9, 200, 7), grid_of(200, 9, 3), grid_of(3, 9, 200), grid_of(90, 100, 110)}) {
    const double size = static_cast<double>(grid.size());
    for (const std::uint32_t band : {1u, 2u, 7u, 8u, 9u, 16u, 31u, 64u}) {
      for (const double wanted : {1.0, 4.0, 0.0005 * size, 0.02 * size}) {
        expect_right(grid, random_keys(grid, wanted, ++seed), band, workspace);
        if (HasFatalFailure()) return;
      }
    }
  }
  expect_right(grid_of(60, 50), random_keys(grid_of(60, 50), 1e9, 0), 5, workspace);
  expect_right(grid_of(20, 30, 25), random_keys(grid_of(20, 30, 25), 1e9, 0), 5, workspace);
}

TEST_F(BandedFieldOnTheGpu, TiesGoToTheLowerSeed) {
  cuda::Workspace workspace;
  for (const FieldGrid& grid : {grid_of(129, 97), grid_of(49, 33, 65)}) {
    for (const std::uint32_t apart : {2u, 6u, 8u, 32u}) {
      Keys keys;
      for (std::uint32_t z = 0; z < grid.cells[2]; z += apart)
        for (std::uint32_t y = 0; y < grid.cells[1]; y += apart)
          for (std::uint32_t x = 0; x < grid.cells[0]; x += apart) keys.push_back(cell_key(x, y, z));
      for (const std::uint32_t band : {1u, 10u, 64u}) expect_right(grid, keys, band, workspace);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(BandedFieldOnTheGpu, BandsTooWideAreRefused) {
  cuda::Workspace workspace;
  EXPECT_THROW(cuda::build_banded_field(grid_of(4, 4), nullptr, 1, 65, {}, nullptr, workspace), InvalidArgument);
  EXPECT_THROW(cuda::build_banded_field(grid_of(4, 4), nullptr, 1, 0, {}, nullptr, workspace), InvalidArgument);
}

}  // namespace
}  // namespace dovetail
