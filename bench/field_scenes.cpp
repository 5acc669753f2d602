// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "field_scenes.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace dovetail::bench {
namespace {

FieldScene scene_of(const FieldGrid& grid, const std::string& name, std::vector<std::uint64_t> keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return {name, grid, std::move(keys)};
}

class Random {
 public:
  std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(engine_() % end); }
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }

 private:
  std::mt19937_64 engine_{1};
};

}  // namespace

FieldGrid square_grid(std::uint32_t side) {
  FieldGrid grid;
  grid.dimension = 2;
  grid.cells[0] = grid.cells[1] = side;
  return grid;
}

FieldGrid cube_grid(std::uint32_t side) {
  FieldGrid grid;
  for (std::uint32_t& cells : grid.cells) cells = side;
  return grid;
}

FieldScene random_seeds(const FieldGrid& grid, const std::string& name, double share) {
  Random random;
  std::vector<std::uint64_t> keys;
  const auto count = static_cast<std::size_t>(share * static_cast<double>(grid.size()));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t x = random.below(grid.cells[0]), y = random.below(grid.cells[1]);
    keys.push_back(cell_key(x, y, random.below(grid.cells[2])));
  }
  return scene_of(grid, name, keys);
}

FieldScene single_seed(const FieldGrid& grid) {
  return scene_of(grid, "single seed", {cell_key(grid.cells[0] / 3, grid.cells[1] / 2, grid.cells[2] / 2)});
}

FieldScene road_network(const FieldGrid& grid, std::uint32_t apart) {
  Random random;
  std::vector<std::uint64_t> keys;
  const double size = grid.cells[0];
  for (std::uint32_t road = 0; road < grid.cells[0] / apart; ++road) {
    double x = random.between(0, size), y = random.between(0, size), heading = random.between(0, 6.2832);
    const auto steps = static_cast<int>(1.5 * size);
    for (int step = 0; step < steps && x >= 0 && y >= 0 && x < size && y < size; ++step) {
      if (step % 500 == 0) heading += random.between(-0.6, 0.6);
      keys.push_back(cell_key(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0));
      x += 0.7 * std::cos(heading), y += 0.7 * std::sin(heading);
    }
  }
  return scene_of(grid, "roads", keys);
}

FieldScene bumpy_shell(const FieldGrid& grid) {
  Random random;
  std::vector<std::uint64_t> keys;
  const double centre = 0.5 * grid.cells[0], radius = 0.36 * grid.cells[0];
  const auto samples = static_cast<std::size_t>(60.0 * radius * radius);
  for (std::size_t i = 0; i < samples; ++i) {
    const double height = random.between(-1, 1), turn = random.between(0, 6.283185307),
                 rim = std::sqrt(1 - height * height);
    const double r = radius * (1 + 0.15 * std::sin(5 * turn) * rim + 0.1 * std::cos(7 * height));
    const auto cell = [&](double direction) { return static_cast<std::uint32_t>(centre + r * direction); };
    keys.push_back(cell_key(cell(rim * std::cos(turn)), cell(rim * std::sin(turn)), cell(height)));
  }
  return scene_of(grid, "surface shell", keys);
}

FieldScene building(const FieldGrid& grid) {
  std::vector<std::uint64_t> keys;
  const std::uint32_t side = grid.cells[0], low = side / 8, high = 7 * side / 8, top = side / 2;
  const std::uint32_t storey = side / 12, room = side / 6;
  for (std::uint32_t z = low; z <= top; ++z) {
    for (std::uint32_t y = low; y <= high; ++y) {
      for (std::uint32_t x = low; x <= high; ++x) {
        const bool wall = (x - low) % room == 0 || (y - low) % room == 0 || x == high || y == high;
        if (wall || (z - low) % storey == 0 || z == top) keys.push_back(cell_key(x, y, z));
      }
    }
  }
  return scene_of(grid, "building", keys);
}

}  // namespace dovetail::bench
