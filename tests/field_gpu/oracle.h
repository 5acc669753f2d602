// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "spatial/distance_field.h"

namespace dovetail::test {

using Keys = std::vector<std::uint64_t>;
using Numbers = std::vector<std::uint32_t>;

inline FieldGrid grid_of(std::uint32_t x, std::uint32_t y, std::uint32_t z = 0) {
  FieldGrid grid;
  grid.dimension = z == 0 ? 2 : 3;
  grid.cells[0] = x, grid.cells[1] = y, grid.cells[2] = std::max(z, 1u);
  return grid;
}

inline Keys sorted(Keys keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

/// About `wanted` seeds anywhere in the grid, at least one; every cell where that is more than there are.
inline Keys random_keys(const FieldGrid& grid, double wanted, unsigned seed) {
  std::mt19937 random(seed);
  Keys keys;
  const auto any = [&](int axis) {
    return std::uniform_int_distribution<std::uint32_t>(0, grid.cells[axis] - 1)(random);
  };
  if (wanted >= static_cast<double>(grid.size())) {
    for (std::uint32_t z = 0; z < grid.cells[2]; ++z)
      for (std::uint32_t y = 0; y < grid.cells[1]; ++y)
        for (std::uint32_t x = 0; x < grid.cells[0]; ++x) keys.push_back(cell_key(x, y, z));
    return keys;
  }
  for (double i = 0; i < std::max(wanted, 1.0); ++i) {
    const std::uint32_t x = any(0), y = any(1), z = any(2);
    keys.push_back(cell_key(x, y, z));
  }
  return sorted(std::move(keys));
}

inline std::uint64_t squared_cells(std::uint64_t a, std::uint64_t b) {
  const auto part = [](std::uint32_t p, std::uint32_t q) {
    const std::int64_t d = std::int64_t{p} - q;
    return static_cast<std::uint64_t>(d * d);
  };
  return part(key_x(a), key_x(b)) + part(key_y(a), key_y(b)) + part(key_z(a), key_z(b));
}

/// By trying every seed for every cell.
inline Numbers nearest_by_trying(const FieldGrid& grid, std::span<const std::uint64_t> keys) {
  Numbers result;
  for (std::uint32_t z = 0; z < grid.cells[2]; ++z)
    for (std::uint32_t y = 0; y < grid.cells[1]; ++y)
      for (std::uint32_t x = 0; x < grid.cells[0]; ++x) {
        const std::uint64_t here = cell_key(x, y, z);
        const auto nearer = [&](std::uint64_t a, std::uint64_t b) {
          return squared_cells(a, here) < squared_cells(b, here);
        };
        result.push_back(static_cast<std::uint32_t>(std::min_element(keys.begin(), keys.end(), nearer) - keys.begin()));
      }
  return result;
}

/// One line of cells `stride` apart: each gets the seed nearest to it of those its cells have, the first of equals.
inline void spread_line(std::span<const std::uint64_t> keys, std::uint32_t* line, std::uint64_t stride,
                        std::uint32_t count, int axis, std::uint64_t start) {
  struct Reign {
    std::int64_t from, at, cost;
    std::uint32_t number;
  };
  static thread_local std::vector<Reign> reigns;
  reigns.clear();
  const std::uint64_t one = axis == 0 ? 1 : axis == 1 ? std::uint64_t{1} << 16 : std::uint64_t{1} << 32;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t number = line[i * stride];
    if (number == no_site) continue;
    const std::int64_t at = i, cost = static_cast<std::int64_t>(squared_cells(keys[number], start + i * one));
    std::int64_t from = 0;
    while (!reigns.empty()) {
      const Reign& r = reigns.back();
      const std::int64_t above = cost - r.cost + at * at - r.at * r.at, below = 2 * (at - r.at);
      from = (above >= 0 ? above / below : -((below - 1 - above) / below)) + 1;  // first cell that is strictly nearer
      if (from > r.from) break;
      reigns.pop_back();
      from = 0;
    }
    reigns.push_back({reigns.empty() ? 0 : from, at, cost, number});
  }
  std::size_t r = 0;
  for (std::uint32_t i = 0; i < count && !reigns.empty(); ++i) {
    while (r + 1 < reigns.size() && reigns[r + 1].from <= i) ++r;
    line[i * stride] = reigns[r].number;
  }
}

/// Line by line along x, y and z; agrees with nearest_by_trying.
inline Numbers nearest_by_lines(const FieldGrid& grid, std::span<const std::uint64_t> keys) {
  Numbers cells(grid.size(), no_site);
  for (std::uint32_t i = 0; i < keys.size(); ++i) cells[grid.index(key_x(keys[i]), key_y(keys[i]), key_z(keys[i]))] = i;
  const std::uint32_t nx = grid.cells[0], ny = grid.cells[1], nz = grid.cells[2];
  for (std::uint32_t z = 0; z < nz; ++z)
    for (std::uint32_t y = 0; y < ny; ++y) spread_line(keys, &cells[grid.index(0, y, z)], 1, nx, 0, cell_key(0, y, z));
  for (std::uint32_t z = 0; z < nz; ++z)
    for (std::uint32_t x = 0; x < nx; ++x) spread_line(keys, &cells[grid.index(x, 0, z)], nx, ny, 1, cell_key(x, 0, z));
  for (std::uint32_t y = 0; nz > 1 && y < ny; ++y)
    for (std::uint32_t x = 0; x < nx; ++x) {
      spread_line(keys, &cells[grid.index(x, y, 0)], std::uint64_t{nx} * ny, nz, 2, cell_key(x, y, 0));
    }
  return cells;
}

}  // namespace dovetail::test
