// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard of its own: Highway includes it once for each instruction set it compiles for.
#if defined(DOVETAIL_CPU_FIELD_ROW_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_CPU_FIELD_ROW_H
#undef DOVETAIL_CPU_FIELD_ROW_H
#else
#define DOVETAIL_CPU_FIELD_ROW_H
#endif

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

/// The best seed in a row for sixteen cells of it: which, and how far squared. The cursor is at the first cell.
HWY_INLINE void best_in_row(const SeedRows& rows, const RowCursor& cursor, std::uint32_t first, const Cells& x,
                            std::uint32_t most, Cells& squared, Cells& seeds) {
  const CellTag d;
  Cells at(cursor.x);
  seeds = Cells(cursor.seed);
  for (RowCursor c = cursor; c.next < first + field_lanes;) {
    const CellVector begins = hn::Set(d, c.next);
    c.at(rows, c.seed + 1);
    for (std::size_t p = 0; p < Cells::parts; ++p) {
      const auto before = hn::Lt(x.part[p], begins);
      at.part[p] = hn::IfThenElse(before, at.part[p], hn::Set(d, c.x));
      seeds.part[p] = hn::IfThenElse(before, seeds.part[p], hn::Set(d, c.seed));
    }
  }
  for (std::size_t p = 0; p < Cells::parts; ++p) {
    squared.part[p] = hn::Min(square(x.part[p], at.part[p]), hn::Set(d, most));
  }
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
