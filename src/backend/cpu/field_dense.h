// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard of its own: Highway includes it once for each instruction set it compiles for.
#if defined(DOVETAIL_CPU_FIELD_DENSE_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_CPU_FIELD_DENSE_H
#undef DOVETAIL_CPU_FIELD_DENSE_H
#else
#define DOVETAIL_CPU_FIELD_DENSE_H
#endif

#include <algorithm>
#include <vector>

#include "backend/cpu/field_line.h"
#include "backend/cpu/field_row.h"
#include "backend/cpu/field_rows.h"
#include "hwy/cache_control.h"
#include "spatial/distance_field.h"
#include "spatial/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

/// How rows of a dense field are cut into sixteen cells each: where the memory of all rows allows, at the borders of
/// cache lines; the first and the last piece may be shorter.
class Blocks {
 public:
  Blocks(std::uint32_t cells, const std::uint32_t* memory) : cells_(cells) {
    const auto lane = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(memory) / sizeof(*memory));
    if (cells % field_lanes == 0) before_ = lane % field_lanes;
  }
  std::uint32_t count() const { return (before_ + cells_ + field_lanes - 1) / field_lanes; }
  std::uint32_t begin(std::uint32_t block) const {
    return block == 0 ? 0 : std::min(block * field_lanes - before_, cells_);
  }

 private:
  std::uint32_t cells_, before_ = 0;
};

HWY_INLINE void store_some(const Cells& cells, std::uint32_t count, std::uint32_t* to) {
  if (count >= field_lanes) return cells.store_whole(to);
  HWY_ALIGN std::uint32_t all[field_lanes];
  cells.store(all);
  std::copy(all, all + count, to);
}
HWY_INLINE Cells load_some(const std::uint32_t* from, std::uint32_t count) {
  if (count >= field_lanes) return Cells::load_unaligned(from);
  HWY_ALIGN std::uint32_t all[field_lanes];
  std::copy(from, from + count, all);
  std::fill(all + count, all + field_lanes, from[count - 1]);
  return Cells::load(all);
}

/// The seeds of one plane for some blocks of columns: along x and then along y.
void solve_strip(const FieldGrid& grid, const Blocks& blocks, const SeedRows& rows, const LineRule& rule,
                 std::uint32_t plane, std::uint32_t first_block, std::uint32_t last_block, std::uint32_t* nearest) {
  const std::uint32_t first_row = rows.first_row[plane], last_row = rows.first_row[plane + 1];
  std::uint32_t* out = nearest + grid.index(0, 0, rows.plane[plane]);
  LineMemory memory(last_row - first_row, grid.cells[1]);
  std::vector<RowCursor> cursors = cursors_at(rows, first_row, last_row, blocks.begin(first_block));
  for (std::uint32_t block = first_block; block < last_block; ++block) {
    const std::uint32_t x = blocks.begin(block), count = blocks.begin(block + 1) - x;
    const Cells lane_x = x_from(x, grid.cells[0]);
    Lines lines(rule, memory);
    lines.begin(0, grid.cells[1]);
    for (std::uint32_t r = first_row; r < last_row; ++r) {
      RowCursor& cursor = cursors[r - first_row];
      cursor.move_right(rows, x);
      Cells squared, seeds;
      best_in_row(rows, cursor, x, lane_x, rule.most_across, squared, seeds);
      lines.add(rows.y[r], squared, seeds);
    }
    lines.solve(0, grid.cells[1], [&](std::uint32_t y, const Cells& seeds) HWY_ATTR {
      store_some(seeds, count, out + std::size_t{y} * grid.cells[0] + x);
    });
  }
}

/// Along z, for the row y of all planes.
void solve_depth(const FieldGrid& grid, const Blocks& blocks, const SeedRows& rows, const LineRule& rule,
                 std::uint32_t y, std::uint32_t* nearest) {
  const std::size_t plane_size = std::size_t{grid.cells[0]} * grid.cells[1];
  std::uint32_t* row = nearest + grid.index(0, y, 0);
  LineMemory memory(rows.plane.size(), grid.cells[2]);
  for (std::uint32_t block = 0; block < blocks.count(); ++block) {
    const std::uint32_t x = blocks.begin(block), count = blocks.begin(block + 1) - x;
    const Cells lane_x = x_from(x, grid.cells[0]);
    Lines lines(rule, memory);
    lines.begin(0, grid.cells[2]);
    for (const std::uint32_t z : rows.plane) {
      const Cells seeds = load_some(row + z * plane_size + x, count);
      hwy::Prefetch(row + z * plane_size + x + field_lanes);
      Cells squared;
      squared_across(rows, seeds, lane_x, y, rule.most_across, squared);
      lines.add(z, squared, seeds);
    }
    lines.solve(0, grid.cells[2], [&](std::uint32_t z, const Cells& seeds) HWY_ATTR {
      store_some(seeds, count, row + z * plane_size + x);
    });
  }
}

void build_dense(FieldLevel& level, const SeedRows& rows, const LineRule& rule) {
  const FieldGrid& grid = level.grid;
  std::uint32_t* nearest = level.nearest.data();
  const Blocks blocks(grid.cells[0], nearest);
  constexpr std::uint32_t strip = 8;
  const std::uint32_t strips = (blocks.count() + strip - 1) / strip;
  parallel_for(std::size_t{strips} * rows.plane.size(), 1, [&](std::size_t i) {
    const auto plane = static_cast<std::uint32_t>(i / strips), first = static_cast<std::uint32_t>(i % strips) * strip;
    solve_strip(grid, blocks, rows, rule, plane, first, std::min(first + strip, blocks.count()), nearest);
    hwy::FlushStream();
  });
  if (grid.cells[2] == 1) return;
  parallel_for(grid.cells[1], 1, [&](std::size_t y) {
    solve_depth(grid, blocks, rows, rule, static_cast<std::uint32_t>(y), nearest);
    hwy::FlushStream();
  });
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
