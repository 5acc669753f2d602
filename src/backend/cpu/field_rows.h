// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spatial/field_grid.h"

namespace dovetail {

/// Seeds by the rows along x that hold any, and those by planes. Seeds are sorted, so a row's lie side by side, and
/// which of them is nearest to a cell of the row changes half way between two.
struct SeedRows {
  explicit SeedRows(std::span<const std::uint64_t> keys);

  std::vector<std::uint32_t> xy;          ///< of each seed: x | y << 16
  std::vector<std::uint32_t> begins;      ///< of each seed: the first x of its row's cells that are nearest to it
  std::vector<std::uint32_t> y;           ///< of each row that holds seeds
  std::vector<std::uint32_t> first_seed;  ///< of each row; one more at the end
  std::vector<std::uint32_t> plane;       ///< z of each plane that holds seeds
  std::vector<std::uint32_t> first_row;   ///< of each such plane; one more at the end
};

/// The best seed of a row at some x, and all that tells how far right it stays so: seeds of far rows lie far apart in
/// memory, and most steps to the right need none of them.
struct RowCursor {
  std::uint32_t seed, x;  ///< the best one and where it is
  std::uint32_t next;     ///< the first x at which the seed after it is better; no_site where it is the last
  std::uint32_t end;      ///< of the row's seeds

  void at(const SeedRows& rows, std::uint32_t best) {
    seed = best;
    x = rows.xy[best] & 0xffffu;
    next = best + 1 < end ? rows.begins[best + 1] : no_site;
  }
  void move_right(const SeedRows& rows, std::uint32_t to) {
    while (next <= to) at(rows, seed + 1);
  }
  /// Whether the row may have a seed within `reach` of the cells from `first` to below `last`. The cursor is at
  /// `first`.
  bool near(std::uint32_t first, std::uint32_t last, std::uint32_t reach) const {
    if (x + reach >= first) return x < last + reach;
    // The seed after it is at 2 (next - 1) - x, or one farther.
    return next != no_site && 2 * (next - 1) - x < last + reach;
  }
};

/// Of the rows from `first` to below `last`, at x.
std::vector<RowCursor> cursors_at(const SeedRows& rows, std::uint32_t first, std::uint32_t last, std::uint32_t x);

}  // namespace dovetail
