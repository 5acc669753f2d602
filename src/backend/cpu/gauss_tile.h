// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard of its own: Highway includes it once for each instruction set it compiles for.
#if defined(DOVETAIL_CPU_GAUSS_TILE_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_CPU_GAUSS_TILE_H
#undef DOVETAIL_CPU_GAUSS_TILE_H
#else
#define DOVETAIL_CPU_GAUSS_TILE_H
#endif

#include <algorithm>
#include <cstddef>

#include "backend/gauss_sum.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Rows that go through the tree together, each in a vector lane of its own: how wide the vectors are changes no bits.
inline constexpr std::uint32_t tile_rows = 32;

using RowTag = hn::CappedTag<float, 16>;
using RowVector = hn::Vec<RowTag>;
inline constexpr std::size_t row_lanes = hn::MaxLanes(RowTag());
static_assert(tile_rows % row_lanes == 0);

/// Terms added in float before they go to the sums in double.
inline constexpr std::uint32_t run_terms = 128;

/// What is summed for a row.
enum Sum : int { sum_weight, sum_x, sum_y, sum_z, sum_squares, sum_count };

/// The rows of a tile and their sums so far: `run` the latest, `total` all before.
struct Tile {
  HWY_ALIGN float row[3][tile_rows];
  HWY_ALIGN float run[sum_count][tile_rows];
  HWY_ALIGN double total[sum_count][tile_rows];
  std::uint32_t run_length;

  /// The rows from `first` on; a short tile repeats its last.
  void begin(const GaussRows& rows, std::uint32_t first) {
    const float* from[3] = {rows.x, rows.y, rows.z};
    for (int axis = 0; axis < 3; ++axis) {
      for (std::uint32_t i = 0; i < tile_rows; ++i)
        row[axis][i] = from[axis][std::size_t{std::min(first + i, rows.count - 1)} * rows.stride];
    }
    clear();
  }

  void clear() {
    for (int s = 0; s < sum_count; ++s) {
      for (std::uint32_t i = 0; i < tile_rows; ++i) run[s][i] = 0, total[s][i] = 0;
    }
    run_length = 0;
  }

  void close_run() {
    for (int s = 0; s < sum_count; ++s) {
      for (std::uint32_t i = 0; i < tile_rows; ++i) total[s][i] += double{run[s][i]}, run[s][i] = 0;
    }
    run_length = 0;
  }

  /// Makes room for a few more terms.
  HWY_INLINE void expect(std::uint32_t terms) {
    if (run_length + terms > run_terms) close_run();
    run_length += terms;
  }

  void finish(const GaussSums& out, std::uint32_t first, std::uint32_t count) {
    close_run();
    float* to[sum_count] = {out.weight, out.toward_x, out.toward_y, out.toward_z, out.squares};
    for (int s = 0; s < sum_count; ++s) {
      if (to[s] == nullptr) continue;
      for (std::uint32_t i = 0; i < count; ++i) to[s][first + i] = static_cast<float>(total[s][i]);
    }
  }
};

/// Vectors of rows that go over the points together: enough to hide latencies, few enough for the registers.
inline constexpr std::size_t width = std::min<std::size_t>(2, tile_rows / row_lanes);

/// Some vectors worked on in step, so that neighbouring instructions do not wait for each other.
struct Rows {
  RowVector part[width];
};
#define DOVETAIL_EACH_ROW for (std::size_t v = 0; v < width; ++v)

/// 2^x for x <= 0: a polynomial (relative error 1.1e-7) on the half unit about a whole number, which goes into the
/// exponent. Below 2^-126 it is something between 0 and 2^-126, and exactly 0 from 2^-150 on.
HWY_INLINE Rows exp2_of(Rows x) {
  const RowTag d;
  Rows whole, f, p;
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  DOVETAIL_EACH_ROW whole.part[v] = hn::Round(x.part[v]);
  DOVETAIL_EACH_ROW f.part[v] = hn::Sub(x.part[v], whole.part[v]);
#else
  // 1.5 × 2^23: the sum's last bits are the whole number. The polynomial is 1 at 0, so at −127 all bits vanish.
  const RowVector magic = hn::Set(d, 12582912.0f);
  DOVETAIL_EACH_ROW x.part[v] = hn::Max(x.part[v], hn::Set(d, -127.0f));
  DOVETAIL_EACH_ROW whole.part[v] = hn::Add(x.part[v], magic);
  DOVETAIL_EACH_ROW f.part[v] = hn::Sub(x.part[v], hn::Sub(whole.part[v], magic));
#endif
  DOVETAIL_EACH_ROW p.part[v] = hn::MulAdd(hn::Set(d, 0.00132647296f), f.part[v], hn::Set(d, 0.00967151299f));
  for (const float next : {0.0555073358f, 0.240222424f, 0.693147004f, 1.0f}) {
    DOVETAIL_EACH_ROW p.part[v] = hn::MulAdd(p.part[v], f.part[v], hn::Set(d, next));
  }
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  DOVETAIL_EACH_ROW p.part[v].raw = _mm512_scalef_ps(p.part[v].raw, whole.part[v].raw);
#else
  const hn::RebindToSigned<RowTag> di;
  DOVETAIL_EACH_ROW {
    const auto exponent = hn::ShiftLeft<23>(hn::BitCast(di, whole.part[v]));
    p.part[v] = hn::BitCast(d, hn::Add(hn::BitCast(di, p.part[v]), exponent));
  }
#endif
  return p;
}

/// Adds points one by one to the rows from `first` on. Coordinates are subtracted as they are, which is exact where it
/// matters: products about a common centre are 9 % faster and lose digits where σ is small.
template <bool weighted, bool squares>
HWY_INLINE void add_points(Tile& tile, std::size_t first, const TreePoint* points, const float* weight,
                           std::uint32_t count, float k) {
  const RowTag d;
  const RowVector minus_k = hn::Set(d, -k);
  Rows row[3], sum[sum_count];
  DOVETAIL_EACH_ROW {
    for (int axis = 0; axis < 3; ++axis) row[axis].part[v] = hn::Load(d, tile.row[axis] + first + v * row_lanes);
    for (int s = 0; s < sum_count; ++s) sum[s].part[v] = hn::Load(d, tile.run[s] + first + v * row_lanes);
  }
  for (std::uint32_t j = 0; j < count; ++j) {
    const float point[3] = {points[j].x, points[j].y, points[j].z};
    Rows toward[3], x;
    for (int axis = 0; axis < 3; ++axis) {
      DOVETAIL_EACH_ROW toward[axis].part[v] = hn::Sub(hn::Set(d, point[axis]), row[axis].part[v]);
    }
    DOVETAIL_EACH_ROW x.part[v] = hn::Mul(toward[0].part[v], toward[0].part[v]);
    DOVETAIL_EACH_ROW x.part[v] = hn::MulAdd(toward[1].part[v], toward[1].part[v], x.part[v]);
    DOVETAIL_EACH_ROW x.part[v] = hn::MulAdd(toward[2].part[v], toward[2].part[v], x.part[v]);
    DOVETAIL_EACH_ROW x.part[v] = hn::Mul(x.part[v], minus_k);
    Rows e = exp2_of(x);
    if constexpr (weighted) {
      DOVETAIL_EACH_ROW e.part[v] = hn::Mul(e.part[v], hn::Set(d, weight[j]));
    }
    DOVETAIL_EACH_ROW sum[sum_weight].part[v] = hn::Add(sum[sum_weight].part[v], e.part[v]);
    for (int axis = 0; axis < 3; ++axis) {
      RowVector* to = sum[sum_x + axis].part;
      DOVETAIL_EACH_ROW to[v] = hn::MulAdd(e.part[v], toward[axis].part[v], to[v]);
    }
    if constexpr (squares) {
      RowVector* to = sum[sum_squares].part;
      DOVETAIL_EACH_ROW to[v] = hn::MulAdd(e.part[v], e.part[v], to[v]);
    }
  }
  DOVETAIL_EACH_ROW {
    for (int s = 0; s < (squares ? sum_count : sum_squares); ++s) {
      hn::Store(sum[s].part[v], d, tile.run[s] + first + v * row_lanes);
    }
  }
}
#undef DOVETAIL_EACH_ROW

/// Adds the points of some slots to all rows of the tile, in runs.
template <bool weighted, bool squares>
void add_slots(Tile& tile, const GaussPoints& points, SlotRange slots, float k) {
  while (slots.begin < slots.end) {
    const std::uint32_t count = std::min(run_terms, slots.end - slots.begin);
    tile.expect(count);
    const float* weight = weighted ? points.weight + slots.begin : nullptr;
    for (std::size_t first = 0; first < tile_rows; first += width * row_lanes) {
      add_points<weighted, squares>(tile, first, points.clusters.tree.points + slots.begin, weight, count, k);
    }
    slots.begin += count;
  }
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
