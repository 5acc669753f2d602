// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spatial/field_grid.h"

namespace dovetail::bench {

/// Cells with seeds in them, as a reference would fill a grid. Keys ascend.
struct FieldScene {
  std::string name;
  FieldGrid grid;
  std::vector<std::uint64_t> keys;
};

FieldGrid square_grid(std::uint32_t side);
FieldGrid cube_grid(std::uint32_t side);

FieldScene random_seeds(const FieldGrid& grid, const std::string& name, double share);
FieldScene single_seed(const FieldGrid& grid);
/// Bent lines across a plane, one for every `apart` cells of its side.
FieldScene road_network(const FieldGrid& grid, std::uint32_t apart);
/// A bumpy closed surface.
FieldScene bumpy_shell(const FieldGrid& grid);
/// Walls and floors.
FieldScene building(const FieldGrid& grid);

}  // namespace dovetail::bench
