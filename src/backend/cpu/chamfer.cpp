// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/chamfer.cpp"
#include "hwy/foreach_target.h"
//
#include "backend/cpu/chamfer_looks.h"
#include "backend/cpu/lanes.h"

// Compiled once for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

using chamfer::LookSettings;
#include "methods/chamfer_terms.inl"

/// Groups of lanes whose terms are added in float before they go to the sums in double.
constexpr std::size_t groups = 4;

template <class M>
void chamfer_block(const Block<M>& b) {
  constexpr int D = M::D, width = doubles_in<typename M::Sums>;
  LookArrays<D> looks;
  const std::uint32_t count = b.last - b.first;
  const std::size_t padded = hwy::RoundUpTo(count, groups * lane_count);
  const chamfer::FloatMap<D, M::projective> map(chamfer::looked_at<M>(b.state));
  BlockLookup<D, M::projective>(b.data, map, b.first, count, padded, looks).run();
  const LookSettings settings = M::settings(b.params, b.state);
  DoubleLanes totals[width];
  for (std::size_t i = 0; i < padded; i += groups * lane_count) {
    Lanes part[width];
    for (Lanes& p : part) p = Lanes(0.0f);
    const auto add = [&](int k, const Lanes& value) HWY_ATTR { part[k] = part[k] + value; };
    for (std::size_t g = i; g < i + groups * lane_count; g += lane_count) {
      Look<Lanes, D> look;
      for (int a = 0; a < D; ++a) {
        look.moved[a] = Lanes::load(looks.moved[a] + g);
        look.site[a] = Lanes::load(looks.site[a] + g);
        look.normal[a] = Lanes::load(looks.normal[a] + g);
      }
      look.slack = Lanes::load(looks.slack + g);
      look.found = Lanes::load(looks.found + g);
      look.weight = Lanes::load(looks.weight + g);
      if constexpr (chamfer::is_alignment<M>) {
        look_terms<typename M::Typed>(look, settings, add);
      } else {
        scatter_terms<typename M::Typed>(look, settings, add);
      }
    }
    for (int k = 0; k < width; ++k) totals[k].add(part[k]);
  }
  for (int k = 0; k < width; ++k) as_doubles(b.sums)[k] = totals[k].total();
}

template <int D>
void fit_block(const Block<chamfer::Fit<D>>& b) {
  const chamfer::FloatMap<D, D == 2> map(b.state.target_from_source);
  const auto add = [&](int k, double value) { as_doubles(b.sums)[k] += value; };
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    chamfer::Look<float, D> look;
    if (!chamfer::look_up<D, D == 2>(b.data.field, map, b.data.points, i, look)) continue;
    ++b.bins[chamfer::Fit<D>::add_point(b.params, look, add)];
  }
}

template <class M>
void any_block(const Block<M>& b) {
  if constexpr (std::is_same_v<M, chamfer::Fit<M::D>>) {
    fit_block<M::D>(b);
  } else {
    chamfer_block<M>(b);
  }
}

template <class... M>
BlockPasses<List<M...>> passes(List<M...>) {
  return {any_block<M>...};
}
BlockPasses<FieldMethods> chamfer_blocks() { return passes(FieldMethods{}); }

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(chamfer_blocks);

namespace {
BlockPasses<FieldMethods> chamfer_passes() { return HWY_DYNAMIC_DISPATCH(chamfer_blocks)(); }
}  // namespace

void CpuBackend::add_chamfer() { add_passes<chamfer_passes>(FieldMethods{}); }

}  // namespace dovetail
#endif
