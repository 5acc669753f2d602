// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "spatial/distance_field.h"

namespace dovetail::test {

using Keys = std::vector<std::uint64_t>;

inline FieldGrid field_grid(int dimension, std::uint32_t x, std::uint32_t y, std::uint32_t z = 1) {
  FieldGrid grid;
  grid.dimension = dimension;
  grid.cells[0] = x, grid.cells[1] = y, grid.cells[2] = z;
  return grid;
}

inline FieldLevel field_level(const FieldGrid& grid, const Keys& keys, std::uint32_t band = 0) {
  FieldLevel level;
  level.grid = grid;
  level.band = band;
  if (band > 0) level.tiles = make_tiles(grid, keys, band);
  return level;
}

enum class Pattern { single, all, few, random, clustered, lattice, diagonal };
inline constexpr Pattern patterns[] = {Pattern::single,    Pattern::all,     Pattern::few,     Pattern::random,
                                       Pattern::clustered, Pattern::lattice, Pattern::diagonal};

/// Seeds as make_seeds would have them: ascending, at least one. Lattice and diagonal are full of ties.
inline Keys make_keys(const FieldGrid& grid, Pattern pattern, unsigned number = 1) {
  std::mt19937_64 random(number);
  const auto below = [&](std::uint64_t end) { return static_cast<std::uint32_t>(random() % end); };
  const std::uint32_t* cells = grid.cells;
  const auto anywhere = [&] {
    const std::uint32_t x = below(cells[0]), y = below(cells[1]), z = below(cells[2]);
    return cell_key(x, y, z);
  };
  Keys keys;
  if (pattern == Pattern::few || pattern == Pattern::random || pattern == Pattern::single) {
    const std::uint64_t of = pattern == Pattern::random ? 20 : 1000;
    const std::uint64_t count = pattern == Pattern::single ? 1 : grid.size() / of + 2;
    for (std::uint64_t i = 0; i < count; ++i) keys.push_back(anywhere());
  } else if (pattern == Pattern::clustered) {
    for (int cluster = 0; cluster < 3; ++cluster) {
      const std::uint64_t centre = anywhere();
      for (int i = 0; i < 40; ++i) {
        const auto near = [&](std::uint32_t c, std::uint32_t end) { return std::min(c + below(5), end - 1); };
        const std::uint32_t x = near(key_x(centre), cells[0]), y = near(key_y(centre), cells[1]);
        keys.push_back(cell_key(x, y, near(key_z(centre), cells[2])));
      }
    }
  } else {
    for (std::uint32_t z = 0; z < cells[2]; ++z) {
      for (std::uint32_t y = 0; y < cells[1]; ++y) {
        for (std::uint32_t x = 0; x < cells[0]; ++x) {
          const bool lattice = x % 6 == 0 && y % 6 == 0 && z % 6 == 0, diagonal = x == y || x + y + 1 == cells[0];
          if (pattern == Pattern::all || (pattern == Pattern::lattice ? lattice : diagonal && z % 4 == 0)) {
            keys.push_back(cell_key(x, y, z));
          }
        }
      }
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

inline std::uint64_t squared_cells(std::uint64_t key, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const auto square = [](std::uint32_t a, std::uint32_t b) {
    const std::int64_t apart = std::int64_t{a} - b;
    return static_cast<std::uint64_t>(apart * apart);
  };
  return square(key_x(key), x) + square(key_y(key), y) + square(key_z(key), z);
}

/// Every seed looked at: the nearest one, the first of equals.
inline std::uint32_t nearest_of_all(const Keys& keys, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < keys.size(); ++i) {
    if (squared_cells(keys[i], x, y, z) < squared_cells(keys[best], x, y, z)) best = i;
  }
  return best;
}

template <class Body>
void for_each_cell(const FieldGrid& grid, const Body& body) {
  for (std::uint32_t z = 0; z < grid.cells[2]; ++z) {
    for (std::uint32_t y = 0; y < grid.cells[1]; ++y) {
      for (std::uint32_t x = 0; x < grid.cells[0]; ++x) body(x, y, z);
    }
  }
}

inline std::string described(const FieldGrid& grid, const Keys& keys) {
  return std::to_string(grid.cells[0]) + " x " + std::to_string(grid.cells[1]) + " x " + std::to_string(grid.cells[2]) +
         " cells, " + std::to_string(keys.size()) + " seeds";
}

}  // namespace dovetail::test
