// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <tuple>

#include "backend/chamfer_pass.h"
#include "backend/cpu/cpu_backend.h"

#ifndef DOVETAIL_CPU_LINE_BLOCKS
#define DOVETAIL_CPU_LINE_BLOCKS

namespace dovetail {

/// A pass over one block.
template <class M>
using LineBlock = void (*)(const LevelView&, const typename M::Params&, const typename M::State&, std::uint32_t block,
                           typename M::Sums&, std::uint32_t* histogram, const PointArrays&);

/// Those of all methods, for Highway dispatches to one function.
#define DOVETAIL_BLOCK(M) LineBlock<M>,
using LineBlocks = std::tuple<DOVETAIL_LINE_METHODS(DOVETAIL_BLOCK) int>;
#undef DOVETAIL_BLOCK

}  // namespace dovetail

#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/chamfer_lines.cpp"
#include "hwy/foreach_target.h"
//
#include "backend/cpu/lanes.h"

// Compiled once for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

using chamfer::LookSettings;
#include "methods/chamfer_terms.inl"

/// Points looked at one by one, and then added up side by side.
struct LineLookArrays {
  static constexpr std::size_t count = 4 * lane_count;
  HWY_ALIGN float moved[2][count];
  HWY_ALIGN float pull[2][count];
  HWY_ALIGN float cost[count], share[count], squared[count], weight[count];

  void set(std::size_t i, const chamfer::LineLook<float>& look) {
    for (int a = 0; a < 2; ++a) {
      moved[a][i] = look.moved[a];
      pull[a][i] = look.pull[a];
    }
    cost[i] = look.cost;
    share[i] = look.share;
    squared[i] = look.squared;
    weight[i] = look.weight;
  }
  LineLook<Lanes> lanes(std::size_t i) const {
    LineLook<Lanes> look;
    for (int a = 0; a < 2; ++a) {
      look.moved[a] = Lanes::load(moved[a] + i);
      look.pull[a] = Lanes::load(pull[a] + i);
    }
    look.cost = Lanes::load(cost + i);
    look.share = Lanes::load(share + i);
    look.squared = Lanes::load(squared + i);
    look.weight = Lanes::load(weight + i);
    return look;
  }
};

template <class M>
void line_block(const LevelView& level, const typename M::Params& params, const typename M::State& state,
                std::uint32_t block, typename M::Sums& sums, std::uint32_t*, const PointArrays&) {
  constexpr int width = doubles_in<typename M::Sums>;
  const std::uint32_t first = block * block_points, last = std::min(first + block_points, level.count);
  const chamfer::FloatMap<2, M::projective> map(looked_at<M>(state));
  const chamfer::LineSettings settings = M::settings(params, state);
  LineLookArrays looks;
  DoubleLanes totals[width];
  for (std::uint32_t i = first; i < last; i += LineLookArrays::count) {
    for (std::uint32_t k = 0; k < LineLookArrays::count; ++k) {
      chamfer::LineLook<float> look{};
      if (i + k < last && !look_along_lines(level, map, settings, i + k, look)) look = {};
      looks.set(k, look);
    }
    Lanes part[width];
    for (Lanes& p : part) p = Lanes(0.0f);
    for (std::size_t g = 0; g < LineLookArrays::count; g += lane_count) {
      line_terms<typename M::Typed>(looks.lanes(g), settings,
                                    [&](int k, const Lanes& value) HWY_ATTR { part[k] = part[k] + value; });
    }
    for (int k = 0; k < width; ++k) totals[k].add(part[k]);
  }
  for (int k = 0; k < width; ++k) as_doubles(sums)[k] = totals[k].total();
}

LineBlocks line_blocks() {
#define DOVETAIL_BLOCK(M) line_block<M>,
  return {DOVETAIL_LINE_METHODS(DOVETAIL_BLOCK) 0};
#undef DOVETAIL_BLOCK
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(line_blocks);

#define DOVETAIL_RUN(M) \
  void CpuBackend::run(Batch<M>& batch) { loop(batch, std::get<LineBlock<M>>(HWY_DYNAMIC_DISPATCH(line_blocks)())); }
DOVETAIL_LINE_METHODS(DOVETAIL_RUN)
#undef DOVETAIL_RUN

void CpuBackend::place(const LineIndex& lines) { show_lines(lines.view(), problems_); }

}  // namespace dovetail
#endif
