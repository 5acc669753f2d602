// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spatial/field_grid.h"
#include "spatial/local_cloud.h"

namespace dovetail {

/// The reference's points one a cell: of several the one nearest to the cell's centre (the lowest index of equally near
/// ones). Sorted by key, so by cell.
struct Seeds {
  std::vector<std::uint64_t> keys;
  std::vector<Site> sites;
};

/// Every point must lie in the grid.
Seeds make_seeds(const FieldGrid& grid, const LocalCloud& points);

/// Gives sites that lie on a line (in 2D) or a surface (in 3D) its normal, told by the other sites within `reach`:
/// there must be a few of them, and they must be flat. The others stand alone.
void estimate_site_normals(int dimension, float reach, std::vector<Site>& sites);

/// The tiles a banded field keeps: all that hold a cell within `band` cells of a seed, and perhaps a few more.
struct FieldTiles {
  std::uint32_t tiles[3] = {0, 0, 0};  ///< of the whole grid
  std::vector<std::uint32_t> slot;     ///< of each tile of the grid: its place among those stored, or no_site
  std::vector<std::uint32_t> stored;   ///< the tiles stored, ascending
};
FieldTiles make_tiles(const FieldGrid& grid, std::span<const std::uint64_t> keys, std::uint32_t band);

/// One resolution of a reference in host memory.
struct FieldLevel {
  FieldGrid grid;
  std::uint32_t band = 0;  ///< cells up to which a banded field reaches; 0: dense, it reaches everywhere
  FieldTiles tiles;        ///< empty where dense
  std::vector<Site> sites;
  std::vector<std::uint32_t> nearest;  ///< as in FieldView; what is farther than the band from every site has no_site

  FieldView view() const;
  std::uint64_t stored_cells() const {
    return band == 0 ? grid.size() : tiles.stored.size() * std::uint64_t{tile_cells(grid.dimension)};
  }
};

// What a machine fills in: for each cell the number of the seed whose cell is nearest, centre to centre, the lower
// number of equally near ones. `keys` are Seeds::keys: ascending, all different, at least one. Banded: only within
// `band` cells (squared distance <= band²), else no_site.

}  // namespace dovetail
