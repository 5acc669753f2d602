// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "field/field_cases.h"

namespace dovetail {
namespace {

using namespace test;

FieldGrid unit_grid(int dimension) {
  FieldGrid grid = field_grid(dimension, 12, 10, dimension == 2 ? 1 : 9);
  grid.cell = 0.125f;
  grid.per_unit = 8;
  grid.origin[0] = -0.5f, grid.origin[1] = 0.25f, grid.origin[2] = dimension == 2 ? 0.0f : -1.0f;
  return grid;
}

LocalCloud points_in(const FieldGrid& grid, std::size_t count) {
  std::mt19937_64 random(3);
  const auto along = [&](int a) {  // multiples of 1/16 of a cell: some lie equally near to a centre
    const auto steps = static_cast<float>(random() % (16 * grid.cells[a]));
    return a < grid.dimension ? grid.origin[a] + steps / 16 * grid.cell : 0.0f;
  };
  LocalCloud cloud;
  for (std::size_t i = 0; i < count; ++i) {
    cloud.x.push_back(along(0)), cloud.y.push_back(along(1)), cloud.z.push_back(along(2));
    cloud.index.push_back(static_cast<std::uint32_t>(7 * i + 3));
  }
  return cloud;
}

LocalCloud shuffled(const LocalCloud& cloud) {
  std::vector<std::uint32_t> order(cloud.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(9));
  return gather(cloud, order);
}

bool same_sites(const std::vector<Site>& a, const std::vector<Site>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Site& s, const Site& t) {
    return s.normal == t.normal && s.x == t.x && s.y == t.y && s.z == t.z;
  });
}

TEST(Seeds, AreTheNearestToTheCentreOfEachCell) {
  for (const int dimension : {2, 3}) {
    const FieldGrid grid = unit_grid(dimension);
    const LocalCloud cloud = points_in(grid, 3000);
    std::map<std::uint64_t, std::pair<float, std::uint32_t>> expected;  // cell: distance, then index
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      const float at[3] = {cloud.x[i], cloud.y[i], cloud.z[i]};
      std::uint32_t cell[3] = {0, 0, 0};
      float squared = 0;
      for (int a = 0; a < dimension; ++a) {
        const float offset = (at[a] - grid.origin[a]) * grid.per_unit;
        cell[a] = static_cast<std::uint32_t>(std::floor(offset));
        const float off = offset - static_cast<float>(cell[a]) - 0.5f;
        squared += off * off;
      }
      const auto found = std::pair(squared, cloud.index[i]);
      const auto [place, fresh] = expected.emplace(cell_key(cell[0], cell[1], cell[2]), found);
      if (!fresh) place->second = std::min(place->second, found);
    }
    const Seeds seeds = make_seeds(grid, cloud);
    ASSERT_EQ(seeds.keys.size(), expected.size());
    ASSERT_EQ(seeds.sites.size(), expected.size());
    std::size_t i = 0;
    for (const auto& [key, best] : expected) {
      EXPECT_EQ(seeds.keys[i], key);
      const std::size_t point = (best.second - 3) / 7;
      EXPECT_EQ(seeds.sites[i].x, cloud.x[point]);
      EXPECT_EQ(seeds.sites[i].y, cloud.y[point]);
      ++i;
    }
  }
}

TEST(Seeds, DoNotDependOnTheOrderOfPoints) {
  for (const int dimension : {2, 3}) {
    const FieldGrid grid = unit_grid(dimension);
    const LocalCloud cloud = points_in(grid, 5000);
    const Seeds a = make_seeds(grid, cloud), b = make_seeds(grid, shuffled(cloud));
    EXPECT_EQ(a.keys, b.keys);
    EXPECT_TRUE(same_sites(a.sites, b.sites));
  }
}

TEST(Seeds, APointOnTheFarBorderIsInTheLastCell) {
  const FieldGrid grid = unit_grid(2);
  LocalCloud cloud;
  cloud.x = {grid.origin[0] + 12 * grid.cell}, cloud.y = {grid.origin[1] + 10 * grid.cell}, cloud.z = {0};
  cloud.index = {0};
  EXPECT_EQ(make_seeds(grid, cloud).keys, Keys{cell_key(11, 9, 0)});
}

std::uint64_t place_of(const FieldView& view, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return view.grid.dimension == 2 ? view.stored_at<2>(x, y, z) : view.stored_at<3>(x, y, z);
}

TEST(Tiles, HoldEveryCellWithinTheBandAndFewMore) {
  for (const FieldGrid& grid : {field_grid(2, 90, 75), field_grid(2, 200, 33), field_grid(3, 40, 33, 50)}) {
    for (const std::uint32_t band : {1u, 7u, 8u, 16u, 30u}) {
      const Keys keys = make_keys(grid, Pattern::clustered, band);
      const FieldLevel level = field_level(grid, keys, band);
      const FieldView view = level.view();
      const std::uint32_t side = tile_side(grid.dimension);
      // From a tile that is kept to a seed it is at most the band and, on each axis, the tiles at both ends.
      const double diagonal = std::sqrt(grid.dimension) * side;
      const double farthest = (band + 2 * diagonal) * (band + 2 * diagonal);
      int missing = 0, needless = 0;
      for_each_cell(grid, [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        const std::uint64_t squared = squared_cells(keys[nearest_of_all(keys, x, y, z)], x, y, z);
        const bool stored = place_of(view, x, y, z) != FieldView::no_cell;
        missing += squared <= std::uint64_t{band} * band && !stored;
        needless += static_cast<double>(squared) > farthest && stored;
      });
      EXPECT_EQ(missing, 0) << described(grid, keys) << ", " << band;
      EXPECT_EQ(needless, 0) << described(grid, keys) << ", " << band;
    }
  }
}

TEST(Tiles, SlotsAndStoredTellTheSame) {
  const FieldGrid grid = field_grid(3, 60, 50, 41);
  const FieldTiles tiles = make_tiles(grid, make_keys(grid, Pattern::few), 4);
  EXPECT_EQ(tiles.tiles[0], 8u);
  EXPECT_EQ(tiles.tiles[1], 7u);
  EXPECT_EQ(tiles.tiles[2], 6u);
  ASSERT_EQ(tiles.slot.size(), 8u * 7 * 6);
  EXPECT_TRUE(std::is_sorted(tiles.stored.begin(), tiles.stored.end()));
  std::size_t stored = 0;
  for (std::uint32_t t = 0; t < tiles.slot.size(); ++t) {
    if (tiles.slot[t] == no_site) continue;
    EXPECT_EQ(tiles.stored[tiles.slot[t]], t);
    ++stored;
  }
  EXPECT_EQ(stored, tiles.stored.size());
}

}  // namespace
}  // namespace dovetail
