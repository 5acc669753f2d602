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
  float x, y, z;  ///< local
  /// The normal of the line (in 2D) or surface (in 3D) it is a sample of, 16 bits a number: two numbers in 2D, the two
  /// coordinates on a folded octahedron in 3D. 0: the point stands alone.
  std::uint32_t normal;

  /// Whether the normal is one that pack_normal() makes.
  bool has_sound_normal(int dimension) const {
    if (normal == 0) return true;
    const float a = static_cast<float>(normal & 0xffffu) - 32768.0f, b = static_cast<float>(normal >> 16) - 32768.0f;
    if (a < -32767.0f || b < -32767.0f) return false;
    return dimension == 3 || std::fabs(a * a + b * b - 32767.0f * 32767.0f) < 0.01f * 32767.0f * 32767.0f;
  }

  /// False where there is none.
  template <int D>
  DOVETAIL_HD bool unpack_normal(float* n) const {
    if (normal == 0) {
      for (int i = 0; i < D; ++i) n[i] = 0;
      return false;
    }
    n[0] = (static_cast<float>(normal & 0xffffu) - 32768.0f) * (1.0f / 32767.0f);
    n[1] = (static_cast<float>(normal >> 16) - 32768.0f) * (1.0f / 32767.0f);
    if constexpr (D == 3) {
      n[2] = 1.0f - fabsf(n[0]) - fabsf(n[1]);
      const float fold = n[2] < 0 ? -n[2] : 0.0f;
      n[0] += n[0] > 0 ? -fold : fold;
      n[1] += n[1] > 0 ? -fold : fold;
    }
    float squared = 0;
    for (int i = 0; i < D; ++i) squared += n[i] * n[i];
    const float scale = 1.0f / sqrtf(squared);
    for (int i = 0; i < D; ++i) n[i] *= scale;
    return true;
  }
};

/// A unit normal as a Site keeps it; zero and what is no number become 0.
inline std::uint32_t pack_normal(int dimension, float x, float y, float z) {
  if (dimension == 2) z = 0;
  const float sum = std::fabs(x) + std::fabs(y) + std::fabs(z);
  if (!(sum > 0.0f && sum < 1e30f)) return 0;
  float a = x / (dimension == 3 ? sum : 1.0f), b = y / (dimension == 3 ? sum : 1.0f);
  if (z < 0) {
    const float keep = a;
    a = (1.0f - std::fabs(b)) * (a < 0 ? -1.0f : 1.0f);
    b = (1.0f - std::fabs(keep)) * (b < 0 ? -1.0f : 1.0f);
  }
  const auto bits = [](float v) {
    const float clamped = v < -1.0f ? -1.0f : (v > 1.0f ? 1.0f : v);
    return static_cast<std::uint32_t>(std::lround(clamped * 32767.0f) + 32768);  // 1 to 65535
  };
  return bits(b) << 16 | bits(a);
}

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

  /// How far from its sample a line or surface is taken to go on: the point's own cell, that of the sample, and where
  /// in it the sample lies.
  DOVETAIL_HD float slack() const { return 2 * grid.cell; }

  /// Where a cell's site is written; no_cell where it lies in no stored tile.
  static constexpr std::uint64_t no_cell = ~std::uint64_t{0};
  template <int D>
  DOVETAIL_HD std::uint64_t stored_at(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
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
    const std::uint64_t cell = stored_at<D>(at[0], at[1], at[2]);
    return cell == no_cell ? no_site : nearest[cell];
  }
};

}  // namespace dovetail
