// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>

#include "backend/cuda/workspace.h"
#include "spatial/field_grid.h"

// Distance fields built in the memory of the current device, as spatial/distance_field.h defines them: the seed nearest
// to each cell, exactly, the lower number of equally near ones. All pointers but the grid are to device memory. The
// builders queue their work on the workspace's stream and return; scratch is the workspace's, until its next reset().

namespace dovetail::cuda {

/// Nearest seed of every cell, row by row. Scratch: 4 bytes a cell in 3D, and 16 a row of 32 cells.
void build_dense_field(const FieldGrid& grid, const std::uint64_t* keys, std::uint32_t count, std::uint32_t* nearest,
                       Workspace& workspace);

/// The tiles of a banded field, as FieldTiles has them.
struct DeviceTiles {
  const std::uint32_t* slot;    ///< of each tile of the grid: its place among those stored, or no_site
  const std::uint32_t* stored;  ///< the tiles stored
  std::uint32_t stored_count;
};

/// Bands wider than this are refused.
inline constexpr std::uint32_t widest_band = 64;

/// Nearest seed of every cell of the tiles stored, tile after tile; no_site beyond `band` cells. Every tile with a cell
/// within the band of a seed must be stored.
void build_banded_field(const FieldGrid& grid, const std::uint64_t* keys, std::uint32_t count, std::uint32_t band,
                        const DeviceTiles& tiles, std::uint32_t* nearest, Workspace& workspace);

}  // namespace dovetail::cuda
