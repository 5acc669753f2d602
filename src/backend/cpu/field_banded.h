// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard of its own: Highway includes it once for each instruction set it compiles for.
#if defined(DOVETAIL_CPU_FIELD_BANDED_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_CPU_FIELD_BANDED_H
#undef DOVETAIL_CPU_FIELD_BANDED_H
#else
#define DOVETAIL_CPU_FIELD_BANDED_H
#endif

#include <algorithm>
#include <vector>

#include "backend/cpu/field_line.h"
#include "backend/cpu/field_row.h"
#include "backend/cpu/field_rows.h"
#include "spatial/distance_field.h"
#include "spatial/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

/// The passes of a banded field, over runs of tiles that are stored side by side along y or z. A cell on the way of the
/// passes from a seed to a cell within the band is itself within the band of that seed, so its tile is stored.
template <int D>
class BandedPasses {
 public:
  BandedPasses(FieldLevel& level, const SeedRows& rows, const LineRule& rule)
      : grid_(level.grid), tiles_(level.tiles), nearest_(level.nearest.data()), rows_(rows), rule_(rule) {
    blocks_ = (tiles_.tiles[0] + per_block - 1) / per_block;
  }

  void run() {
    const std::uint32_t strips = (blocks_ + strip - 1) / strip;
    const auto pass = [&](std::uint32_t others, auto&& body) {
      parallel_for(std::size_t{strips} * others, 1, [&](std::size_t i) {
        const auto first = static_cast<std::uint32_t>(i % strips) * strip;
        body(static_cast<std::uint32_t>(i / strips), first, std::min(first + strip, blocks_));
      });
    };
    const std::uint32_t depth = D == 2 ? 1 : tiles_.tiles[2] * side;
    pass(depth, [&](std::uint32_t z, std::uint32_t first, std::uint32_t last) { along_y(z, first, last); });
    if (D == 2) return;
    pass(tiles_.tiles[1], [&](std::uint32_t ty, std::uint32_t first, std::uint32_t last) { along_z(ty, first, last); });
  }

 private:
  static constexpr std::uint32_t side = tile_side(D), per_block = field_lanes / side;  // tiles side by side
  static constexpr std::uint32_t strip = D == 2 ? 32 : 8;                              // blocks a thread takes at once

  /// Where the tiles of a block lie in memory; null where one is not stored.
  struct Place {
    std::uint32_t* tile[per_block];
    bool any() const { return tile[0] != nullptr || tile[per_block - 1] != nullptr; }
  };
  Place place(std::uint32_t block, std::uint32_t ty, std::uint32_t tz) const {
    Place p{};
    for (std::uint32_t i = 0; i < per_block; ++i) {
      const std::uint32_t tx = block * per_block + i;
      if (tx >= tiles_.tiles[0]) break;
      const std::uint32_t slot = tiles_.slot[(std::size_t{tz} * tiles_.tiles[1] + ty) * tiles_.tiles[0] + tx];
      if (slot != no_site) p.tile[i] = nearest_ + std::size_t{slot} * tile_cells(D);
    }
    return p;
  }

  /// Calls body(first cell, end, places) for each run of stored tiles along a line of so many tiles.
  template <class At, class Body>
  static void for_each_run(std::uint32_t tiles, const At& at, const Body& body) {
    std::vector<Place> places;
    for (std::uint32_t t = 0; t <= tiles; ++t) {
      const Place p = t < tiles ? at(t) : Place{};
      if (p.any()) {
        places.push_back(p);
      } else if (!places.empty()) {
        const std::uint32_t end = t * side;
        body(end - static_cast<std::uint32_t>(places.size()) * side, end, places);
        places.clear();
      }
    }
  }

  static std::uint32_t inside(std::uint32_t y, std::uint32_t z) { return ((z % side) * side + y % side) * side; }

  /// A row of a block to its tiles; cells beyond the grid have no site.
  HWY_INLINE void store(const Place& p, std::uint32_t offset, std::uint32_t x, const Cells& seeds) const {
    HWY_ALIGN std::uint32_t row[field_lanes];
    seeds.store(row);
    for (std::uint32_t lane = grid_.cells[0] - x; lane < field_lanes; ++lane) row[lane] = no_site;
    for (std::uint32_t i = 0; i < per_block; ++i) {
      if (p.tile[i] != nullptr) std::copy_n(row + i * side, side, p.tile[i] + offset);
    }
  }
  HWY_INLINE Cells load(const Place& p, std::uint32_t offset) const {
    HWY_ALIGN std::uint32_t row[field_lanes];
    for (std::uint32_t i = 0; i < per_block; ++i) {
      p.tile[i] != nullptr ? std::copy_n(p.tile[i] + offset, side, row + i * side)
                           : std::fill_n(row + i * side, side, no_site);
    }
    return Cells::load(row);
  }

  void along_y(std::uint32_t z, std::uint32_t first_block, std::uint32_t last_block) const {
    const auto plane = std::lower_bound(rows_.plane.begin(), rows_.plane.end(), z);
    const bool none = plane == rows_.plane.end() || *plane != z;
    const auto at = static_cast<std::size_t>(plane - rows_.plane.begin());
    const std::uint32_t first_row = none ? 0 : rows_.first_row[at], last_row = none ? 0 : rows_.first_row[at + 1];
    const auto rows_begin = rows_.y.begin() + first_row, rows_end = rows_.y.begin() + last_row;
    std::vector<RowCursor> cursors = cursors_at(rows_, first_row, last_row, first_block * field_lanes);
    LineMemory memory(last_row - first_row, tiles_.tiles[1] * side + 2 * rule_.reach);
    Lines lines(rule_, memory);
    for (std::uint32_t block = first_block; block < last_block; ++block) {
      const std::uint32_t x = block * field_lanes;
      const Cells lane_x = x_from(x, grid_.cells[0]);
      const auto at_tile = [&](std::uint32_t ty) { return place(block, ty, z / (D == 2 ? 1 : side)); };
      for_each_run(tiles_.tiles[1], at_tile, [&](std::uint32_t begin, std::uint32_t end, const auto& places) HWY_ATTR {
        const std::uint32_t low = begin - std::min(begin, rule_.reach), high = end + rule_.reach;
        lines.begin(low, high);
        for (auto y = std::lower_bound(rows_begin, rows_end, low); y != rows_end && *y < high; ++y) {
          RowCursor& cursor = cursors[static_cast<std::size_t>(y - rows_begin)];
          cursor.move_right(rows_, x);
          if (!cursor.near(x, x + field_lanes, rule_.reach)) continue;
          Cells squared, seeds;
          best_in_row(rows_, cursor, x, lane_x, rule_.most_across, squared, seeds);
          lines.add(*y, squared, seeds);
        }
        const auto put = [&](std::uint32_t y, const Cells& seeds)
                             HWY_ATTR { store(places[(y - begin) / side], inside(y, D == 2 ? 0 : z), x, seeds); };
        lines.solve(begin, std::min(end, grid_.cells[1]), put);
        for (std::uint32_t y = grid_.cells[1]; y < end; ++y) put(y, Cells(no_site));
      });
    }
  }

  void along_z(std::uint32_t ty, std::uint32_t first_block, std::uint32_t last_block) const {
    LineMemory memory(grid_.cells[2], grid_.cells[2]);
    Lines lines(rule_, memory);
    for (std::uint32_t block = first_block; block < last_block; ++block) {
      const std::uint32_t x = block * field_lanes;
      const Cells lane_x = x_from(x, grid_.cells[0]);
      const auto at_tile = [&](std::uint32_t tz) { return place(block, ty, tz); };
      for_each_run(tiles_.tiles[2], at_tile, [&](std::uint32_t begin, std::uint32_t end, const auto& places) HWY_ATTR {
        end = std::min(end, grid_.cells[2]);
        for (std::uint32_t y = ty * side; y < std::min((ty + 1) * side, grid_.cells[1]); ++y) {
          lines.begin(begin, end);
          for (std::uint32_t z = begin; z < end; ++z) {
            const Cells seeds = load(places[(z - begin) / side], inside(y, z));
            Cells squared;
            if (squared_across(rows_, seeds, lane_x, y, rule_.most_across, squared)) lines.add(z, squared, seeds);
          }
          lines.solve(begin, end, [&](std::uint32_t z, const Cells& seeds) HWY_ATTR {
            store(places[(z - begin) / side], inside(y, z), x, seeds);
          });
        }
      });
    }
  }

  const FieldGrid& grid_;
  const FieldTiles& tiles_;
  std::uint32_t* nearest_;
  const SeedRows& rows_;
  const LineRule& rule_;
  std::uint32_t blocks_ = 0;
};

template <int D>
void build_banded(FieldLevel& level, const SeedRows& rows, const LineRule& rule) {
  BandedPasses<D>(level, rows, rule).run();
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
