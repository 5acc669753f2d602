// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard of its own: Highway includes it once for each instruction set it compiles for.
#if defined(DOVETAIL_CPU_FIELD_ROW_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_CPU_FIELD_ROW_H
#undef DOVETAIL_CPU_FIELD_ROW_H
#else
#define DOVETAIL_CPU_FIELD_ROW_H
#endif

#include <algorithm>
#include <vector>

#include "backend/cpu/field_line.h"
#include "backend/cpu/field_rows.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

/// x of sixteen cells side by side; beyond the grid the last one, which does no harm and is not stored.
HWY_INLINE Cells x_from(std::uint32_t first, std::uint32_t cells) {
  const CellTag d;
  Cells x;
  for (std::size_t p = 0; p < Cells::parts; ++p) {
    const CellVector lane = hn::Iota(d, first + static_cast<std::uint32_t>(p * Cells::lanes));
    x.part[p] = hn::Min(lane, hn::Set(d, cells - 1));
  }
  return x;
}

HWY_INLINE CellVector square(CellVector a, CellVector b) {
  const CellVector apart = hn::Sub(a, b);
  return hn::Mul(apart, apart);
}

/// The best seed in a row for sixteen cells of it: which, and how far squared. `seed` is the best for the first cell.
HWY_INLINE void best_in_row(const SeedRows& rows, std::uint32_t seed, std::uint32_t end, std::uint32_t first,
                            const Cells& x, std::uint32_t most, Cells& squared, Cells& seeds) {
  const CellTag d;
  Cells at(rows.xy[seed] & 0xffffu);
  seeds = Cells(seed);
  for (++seed; seed < end && rows.begins[seed] < first + field_lanes; ++seed) {
    const CellVector begins = hn::Set(d, rows.begins[seed]);
    for (std::size_t p = 0; p < Cells::parts; ++p) {
      const auto before = hn::Lt(x.part[p], begins);
      at.part[p] = hn::IfThenElse(before, at.part[p], hn::Set(d, rows.xy[seed] & 0xffffu));
      seeds.part[p] = hn::IfThenElse(before, seeds.part[p], hn::Set(d, seed));
    }
  }
  for (std::size_t p = 0; p < Cells::parts; ++p) {
    squared.part[p] = hn::Min(square(x.part[p], at.part[p]), hn::Set(d, most));
  }
}

/// The best seed for the first cell of sixteen, from one that was the best farther left.
HWY_INLINE std::uint32_t move_right(const SeedRows& rows, std::uint32_t seed, std::uint32_t end, std::uint32_t x) {
  while (seed + 1 < end && rows.begins[seed + 1] <= x) ++seed;
  return seed;
}

/// The best seed of each row at x.
std::vector<std::uint32_t> best_seeds(const SeedRows& rows, std::uint32_t first_row, std::uint32_t last_row,
                                      std::uint32_t x) {
  std::vector<std::uint32_t> best;
  best.reserve(last_row - first_row);
  for (std::uint32_t r = first_row; r < last_row; ++r) {
    const auto begin = rows.begins.begin() + rows.first_seed[r], end = rows.begins.begin() + rows.first_seed[r + 1];
    best.push_back(static_cast<std::uint32_t>(std::upper_bound(begin, end, x) - rows.begins.begin()) - 1);
  }
  return best;
}

/// Squared distance across z of seeds from the cells at x and y; `most` where there is no seed. False where none has
/// one.
HWY_INLINE bool squared_across(const SeedRows& rows, const Cells& seeds, const Cells& x, std::uint32_t y,
                               std::uint32_t most, Cells& squared) {
  const CellTag d;
  const CellVector none = hn::Set(d, no_site);
  bool any = false;
  Cells some;
  for (std::size_t p = 0; p < Cells::parts; ++p) {
    const auto missing = hn::Eq(seeds.part[p], none);
    some.part[p] = hn::IfThenZeroElse(missing, seeds.part[p]);
    any |= !hn::AllTrue(d, missing);
  }
  if (!any) return false;
  const Cells xy = some.look_up(rows.xy.data());
  for (std::size_t p = 0; p < Cells::parts; ++p) {
    const CellVector across = hn::Add(square(hn::And(xy.part[p], hn::Set(d, 0xffffu)), x.part[p]),
                                      square(hn::ShiftRight<16>(xy.part[p]), hn::Set(d, y)));
    const CellVector most_of_all = hn::Set(d, most);
    squared.part[p] = hn::IfThenElse(hn::Eq(seeds.part[p], none), most_of_all, hn::Min(across, most_of_all));
  }
  return true;
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
