// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard of its own: Highway includes it once for each instruction set it compiles for.
#if defined(DOVETAIL_CPU_FIELD_LINE_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_CPU_FIELD_LINE_H
#undef DOVETAIL_CPU_FIELD_LINE_H
#else
#define DOVETAIL_CPU_FIELD_LINE_H
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "backend/cpu/field_memory.h"
#include "hwy/highway.h"
#include "spatial/field_grid.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using CellTag = hn::CappedTag<std::uint32_t, field_lanes>;
using CellVector = hn::Vec<CellTag>;

/// One number for each of the cells side by side along x that are worked on together.
struct Cells {
  static constexpr std::size_t lanes = hn::MaxLanes(CellTag()), parts = field_lanes / lanes;
  CellVector part[parts];

  HWY_INLINE Cells() = default;
  HWY_INLINE explicit Cells(std::uint32_t value) {
    for (auto& p : part) p = hn::Set(CellTag(), value);
  }
  HWY_INLINE static Cells load(const std::uint32_t* from) {  // aligned to field_lanes
    Cells c;
    for (std::size_t p = 0; p < parts; ++p) c.part[p] = hn::Load(CellTag(), from + p * lanes);
    return c;
  }
  HWY_INLINE void store(std::uint32_t* to) const {
    for (std::size_t p = 0; p < parts; ++p) hn::Store(part[p], CellTag(), to + p * lanes);
  }
  /// table[part] of each.
  HWY_INLINE Cells look_up(const std::uint32_t* table) const {
    const hn::RebindToSigned<CellTag> index;
    Cells c;
    for (std::size_t p = 0; p < parts; ++p) c.part[p] = hn::GatherIndex(CellTag(), table, hn::BitCast(index, part[p]));
    return c;
  }
  HWY_INLINE static Cells load_unaligned(const std::uint32_t* from) {
    Cells c;
    for (std::size_t p = 0; p < parts; ++p) c.part[p] = hn::LoadU(CellTag(), from + p * lanes);
    return c;
  }
  /// Not to be read again soon: past the caches where it is a whole line of them.
  HWY_INLINE void store_whole(std::uint32_t* to) const {
    if (reinterpret_cast<std::uintptr_t>(to) % sizeof(std::uint32_t[field_lanes]) == 0) {
      for (std::size_t p = 0; p < parts; ++p) hn::Stream(part[p], CellTag(), to + p * lanes);
    } else {
      for (std::size_t p = 0; p < parts; ++p) hn::StoreU(part[p], CellTag(), to + p * lanes);
    }
  }
};

/// Sixteen lines side by side along y or z. Each has the same candidates: coordinates along the line at which the best
/// seed of the passes before is known, with its squared distance across the line. The best candidate of each cell is
/// the one whose squared distance across and along together is least, the first of equals.
///
/// The best candidate never moves back as one goes along a line (of two parabolas of equal width the later one, once
/// below, stays below): so the middle cell's tells for both halves of the line which ones to look at. Cells of
/// neighbouring lines have best candidates close together, and all sixteen are looked for at once. A candidate's number
/// goes in the low bits of its squared distance: one minimum then gives both.
class Lines {
 public:
  Lines(const LineRule& rule, LineMemory& memory) : rule_(rule), m_(memory) {}

  /// Coordinates from `low` to below `high` are to come, of candidates as of cells.
  HWY_INLINE void begin(std::uint32_t low, std::uint32_t high) {
    low_ = next_ = low;
    high_ = high;
    count_ = 0;
  }

  /// In ascending order. `squared` must not be above rule.most_across.
  HWY_INLINE void add(std::uint32_t at, const Cells& squared, const Cells& seed) {
    while (next_ <= at) m_.below[next_++ - low_] = count_;
    const CellTag d;
    const CellVector tag = hn::Set(d, count_ & mask());
    Cells value;
    for (std::size_t p = 0; p < Cells::parts; ++p) {
      value.part[p] = hn::Or(hn::ShiftLeftSame(squared.part[p], static_cast<int>(rule_.bits)), tag);
    }
    value.store(&m_.value[count_ * field_lanes]);
    seed.store(&m_.seed[count_ * field_lanes]);
    m_.at[count_++] = at;
  }

  /// Hands the seeds of each coordinate from `first` to below `last` to store(coordinate, Cells).
  template <class Store>
  HWY_INLINE void solve(std::uint32_t first, std::uint32_t last, const Store& store) {
    while (next_ <= high_) m_.below[next_++ - low_] = count_;
    solve(first, last, 0, count_, store);
  }

 private:
  struct Best {
    Cells squared, candidate;
  };

  HWY_INLINE std::uint32_t mask() const { return (1u << rule_.bits) - 1; }
  HWY_INLINE CellVector shifted(std::uint32_t coordinate, std::uint32_t candidate) const {
    return hn::Set(CellTag(), rule_.squares[static_cast<std::int32_t>(coordinate - m_.at[candidate])]);
  }

  /// The candidates that may be best: within the band, and not farther along the line than the best of a few is away.
  HWY_INLINE void narrow(std::uint32_t coordinate, std::uint32_t& low, std::uint32_t& high) const {
    std::uint32_t reach = rule_.reach;
    clip(coordinate, reach, low, high);
    constexpr std::uint32_t few = 16;  // measured
    if (high - low <= few || low >= high) return;
    const CellTag d;
    const std::uint32_t here = std::clamp(m_.below[coordinate - low_], low, high - 1);
    const std::uint32_t tries[] = {low, std::max(here, low + 1) - 1, here, high - 1};
    CellVector worst = hn::Zero(d);
    for (std::size_t p = 0; p < Cells::parts; ++p) {
      CellVector least = hn::Set(d, ~0u);
      for (const std::uint32_t c : tries) {
        const CellVector value = hn::Load(d, &m_.value[c * field_lanes + p * Cells::lanes]);
        least = hn::Min(least, hn::Add(value, shifted(coordinate, c)));
      }
      worst = hn::Max(worst, least);
    }
    const std::uint32_t squared = hn::GetLane(hn::MaxOfLanes(d, worst)) >> rule_.bits;
    reach = static_cast<std::uint32_t>(std::sqrt(static_cast<float>(squared))) + 1;  // at most one too many
    if (reach < rule_.reach) clip(coordinate, reach, low, high);
  }

  HWY_INLINE void clip(std::uint32_t coordinate, std::uint32_t reach, std::uint32_t& low, std::uint32_t& high) const {
    if (coordinate - low_ > reach) low = std::max(low, m_.below[coordinate - reach - low_]);
    if (high_ - coordinate > reach) high = std::min(high, m_.below[coordinate + reach + 1 - low_]);
  }

  HWY_INLINE Best search(std::uint32_t coordinate, std::uint32_t low, std::uint32_t high) const {
    const CellTag d;
    const int bits = static_cast<int>(rule_.bits);
    Best best;
    for (std::uint32_t c = low; c < high;) {
      const bool begun = c != low;
      const std::uint32_t base = c & ~mask(), end = std::min(high, base + mask() + 1);
      Cells least(~0u);
      for (; c < end; ++c) {
        const CellVector along = shifted(coordinate, c);
        for (std::size_t p = 0; p < Cells::parts; ++p) {
          const CellVector across = hn::Load(d, &m_.value[c * field_lanes + p * Cells::lanes]);
          least.part[p] = hn::Min(least.part[p], hn::Add(across, along));
        }
      }
      for (std::size_t p = 0; p < Cells::parts; ++p) {
        const CellVector squared = hn::ShiftRightSame(least.part[p], bits);
        const CellVector candidate = hn::Add(hn::And(least.part[p], hn::Set(d, mask())), hn::Set(d, base));
        if (!begun) {
          best.squared.part[p] = squared;
          best.candidate.part[p] = candidate;
        } else {
          const auto better = hn::Lt(squared, best.squared.part[p]);
          best.squared.part[p] = hn::IfThenElse(better, squared, best.squared.part[p]);
          best.candidate.part[p] = hn::IfThenElse(better, candidate, best.candidate.part[p]);
        }
      }
    }
    return best;
  }

  /// The seeds of the best candidates; no_site where farther than the band.
  HWY_INLINE Cells seeds_of(const Best& best) const {
    const CellTag d;
    Cells place;
    for (std::size_t p = 0; p < Cells::parts; ++p) {
      const CellVector lane = hn::Iota(d, static_cast<std::uint32_t>(p * Cells::lanes));
      place.part[p] = hn::Add(hn::ShiftLeft<field_lane_bits>(best.candidate.part[p]), lane);
    }
    Cells seeds = place.look_up(m_.seed);
    for (std::size_t p = 0; p < Cells::parts; ++p) {
      const auto beyond = hn::Gt(best.squared.part[p], hn::Set(d, rule_.most));
      seeds.part[p] = hn::IfThenElse(beyond, hn::Set(d, no_site), seeds.part[p]);
    }
    return seeds;
  }

  template <class Store>
  void solve(std::uint32_t first, std::uint32_t last, std::uint32_t low, std::uint32_t high, const Store& store) {
    const CellTag d;
    while (first < last) {
      if (high - low <= 1 && rule_.dense) return repeat(first, last, low, store);
      const std::uint32_t middle = first + (last - first) / 2;
      std::uint32_t from = low, to = high;
      narrow(middle, from, to);
      if (from >= to) {
        store(middle, Cells(no_site));
        from = std::min(from, high);
        solve(first, middle, low, from, store);
        low = from;
      } else {
        const Best best = search(middle, from, to);
        store(middle, seeds_of(best));
        if (last - first == 1) return;
        CellVector least = best.candidate.part[0], most = least;
        for (std::size_t p = 1; p < Cells::parts; ++p) {
          least = hn::Min(least, best.candidate.part[p]);
          most = hn::Max(most, best.candidate.part[p]);
        }
        solve(first, middle, low, hn::GetLane(hn::MaxOfLanes(d, most)) + 1, store);
        low = hn::GetLane(hn::MinOfLanes(d, least));
      }
      first = middle + 1;
    }
  }

  /// One candidate is left for all.
  template <class Store>
  HWY_INLINE void repeat(std::uint32_t first, std::uint32_t last, std::uint32_t candidate, const Store& store) const {
    const Cells seeds = Cells::load(&m_.seed[candidate * field_lanes]);
    for (; first < last; ++first) store(first, seeds);
  }

  const LineRule rule_;
  LineMemory& m_;
  std::uint32_t low_ = 0, high_ = 0, next_ = 0, count_ = 0;
};

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
