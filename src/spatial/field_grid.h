// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "dovetail/host_device.h"

namespace dovetail {

/// Where no reference point is near.
inline constexpr std::uint32_t no_site = 0xffffffffu;

/// A reference point that stands for the cell it lies in.
struct Site {
  float x, y, z;        ///< local
  std::uint32_t index;  ///< of the point in the reference
};

/// The cells of a distance field, in local coordinates: squares or cubes side by side from `origin` on. Local units are
/// such that a side is a power of two.
struct FieldGrid {
  /// A squared distance in cells must fit 31 bits, and a coordinate 16.
  static constexpr std::uint32_t most_cells_a_side = 26'000;

  int dimension = 3;
  std::uint32_t cells[3] = {1, 1, 1};  ///< along x, y, z; one along z in 2D
  float origin[3] = {0, 0, 0};
  float cell = 1;      ///< side
  float per_unit = 1;  ///< 1 / side, exactly

  DOVETAIL_HD std::uint64_t size() const { return std::uint64_t{cells[0]} * cells[1] * cells[2]; }
  /// Row by row: x runs fastest.
  DOVETAIL_HD std::uint64_t index(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return (std::uint64_t{z} * cells[1] + y) * cells[0] + x;
  }
};

/// A cell by its coordinates in one number. Keys are ordered by z, then y, then x, as cells are in memory.
DOVETAIL_HD constexpr std::uint64_t cell_key(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return std::uint64_t{z} << 32 | std::uint64_t{y} << 16 | x;
}
DOVETAIL_HD constexpr std::uint32_t key_x(std::uint64_t key) { return static_cast<std::uint32_t>(key & 0xffffu); }
DOVETAIL_HD constexpr std::uint32_t key_y(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 16 & 0xffffu); }
DOVETAIL_HD constexpr std::uint32_t key_z(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }

/// Side of the tiles a banded field is stored in: 256 cells in 2D, 512 in 3D.
DOVETAIL_HD constexpr std::uint32_t tile_side(int dimension) { return dimension == 2 ? 16 : 8; }
DOVETAIL_HD constexpr std::uint32_t tile_cells(int dimension) { return dimension == 2 ? 256 : 512; }

/// A distance field wherever its memory lies: the site nearest to the centre of each cell.
struct FieldView {
  FieldGrid grid;
  const Site* sites = nullptr;
  std::uint32_t site_count = 0;
  /// Site of each cell: row by row, or, where there are tiles, tile after tile and row by row within a tile.
  const std::uint32_t* nearest = nullptr;
  /// Of a banded field: the place of each tile (row by row over the tiles of the grid) among those stored, or no_site.
  const std::uint32_t* tile_slot = nullptr;
  std::uint32_t tiles[3] = {0, 0, 0};

  /// Where a cell's site is written; no_cell where it lies in no stored tile.
  static constexpr std::uint64_t no_cell = ~std::uint64_t{0};
  template <int D>
  DOVETAIL_HD std::uint64_t place(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    if (tile_slot == nullptr) return grid.index(x, y, z);
    constexpr std::uint32_t side = tile_side(D), shift = D == 2 ? 4 : 3, low = side - 1;
    const std::uint32_t tile = D == 2 ? (y >> shift) * tiles[0] + (x >> shift)
                                      : ((z >> shift) * tiles[1] + (y >> shift)) * tiles[0] + (x >> shift);
    const std::uint32_t slot = tile_slot[tile];
    if (slot == no_site) return no_cell;
    const std::uint32_t inside =
        D == 2 ? (y & low) * side + (x & low) : ((z & low) * side + (y & low)) * side + (x & low);
    return std::uint64_t{slot} * tile_cells(D) + inside;
  }

  /// The site of the cell a point lies in; no_site outside the grid and beyond the band.
  template <int D>
  DOVETAIL_HD std::uint32_t site_at(const float* point) const {
    std::uint32_t at[3] = {0, 0, 0};
    for (int a = 0; a < D; ++a) {
      const float offset = (point[a] - grid.origin[a]) * grid.per_unit;
      if (!(offset >= 0.0f && offset < static_cast<float>(grid.cells[a]))) return no_site;  // nor a NaN
      at[a] = static_cast<std::uint32_t>(offset);
    }
    const std::uint64_t cell = place<D>(at[0], at[1], at[2]);
    return cell == no_cell ? no_site : nearest[cell];
  }
};

}  // namespace dovetail
