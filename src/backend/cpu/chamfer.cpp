// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <tuple>

#include "backend/chamfer_pass.h"
#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/distance_field.h"

#ifndef DOVETAIL_CPU_CHAMFER_BLOCKS
#define DOVETAIL_CPU_CHAMFER_BLOCKS

namespace dovetail {

/// A pass over one block.
template <class M>
using ChamferBlock = void (*)(const LevelView&, const typename M::Params&, const typename M::State&,
                              std::uint32_t block, typename M::Sums&, std::uint32_t* histogram, const PointArrays&);

/// Those of all methods, for Highway dispatches to one function.
#define DOVETAIL_BLOCK(M) ChamferBlock<M>,
using ChamferBlocks = std::tuple<DOVETAIL_CHAMFER_METHODS(DOVETAIL_BLOCK) int>;
#undef DOVETAIL_BLOCK

}  // namespace dovetail

#endif

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
void chamfer_block(const LevelView& level, const typename M::Params& params, const typename M::State& state,
                   std::uint32_t block, typename M::Sums& sums) {
  constexpr int D = M::D, width = doubles_in<typename M::Sums>;
  LookArrays<D> looks;
  const std::uint32_t first = block * block_points, count = std::min(block_points, level.count - first);
  const std::size_t padded = hwy::RoundUpTo(count, groups * lane_count);
  const chamfer::FloatMap<D, M::projective> map(looked_at<M>(state));
  BlockLookup<D, M::projective>(level, map, first, count, padded, looks).run();
  const LookSettings settings = M::settings(params, state);
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
      if constexpr (is_alignment<M>) {
        look_terms<typename M::Typed>(look, settings, add);
      } else {
        spread_terms<typename M::Typed>(look, settings, add);
      }
    }
    for (int k = 0; k < width; ++k) totals[k].add(part[k]);
  }
  for (int k = 0; k < width; ++k) as_doubles(sums)[k] = totals[k].total();
}

template <class M>
void fit_block(const LevelView& level, const typename M::Params& params, const typename M::State& state,
               std::uint32_t block, typename M::Sums& sums, std::uint32_t* histogram) {
  const chamfer::FloatMap<M::D, M::projective> map(state.target_from_source);
  const std::uint32_t first = block * block_points, last = std::min(first + block_points, level.count);
  for (std::uint32_t i = first; i < last; ++i) {
    chamfer::Look<float, M::D> look;
    if (!look_at_point<M::D, M::projective>(level, map, i, look)) continue;
    ++histogram[M::add_point(params, look, [&](int k, double value) { as_doubles(sums)[k] += value; })];
  }
}

template <class M>
void any_block(const LevelView& level, const typename M::Params& params, const typename M::State& state,
               std::uint32_t block, typename M::Sums& sums, std::uint32_t* histogram, const PointArrays&) {
  if constexpr (is_fit<M>) {
    fit_block<M>(level, params, state, block, sums, histogram);
  } else {
    chamfer_block<M>(level, params, state, block, sums);
  }
}

ChamferBlocks chamfer_blocks() {
#define DOVETAIL_BLOCK(M) any_block<M>,
  return {DOVETAIL_CHAMFER_METHODS(DOVETAIL_BLOCK) 0};
#undef DOVETAIL_BLOCK
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(chamfer_blocks);

#define DOVETAIL_RUN(M)                                                             \
  void CpuBackend::run(Batch<M>& batch) {                                           \
    loop(batch, std::get<ChamferBlock<M>>(HWY_DYNAMIC_DISPATCH(chamfer_blocks)())); \
  }
DOVETAIL_CHAMFER_METHODS(DOVETAIL_RUN)
#undef DOVETAIL_RUN

void CpuBackend::build_field(FieldData& field, std::span<const std::vector<std::uint64_t>> keys, bool) {
  threads_.execute([&] {
    for (std::size_t i = 0; i < field.levels.size(); ++i) build_field_cpu(field.levels[i], keys[i]);
  });
}

void CpuBackend::place(const ObservedView& observed, const FieldData& field) {
  threads_.execute([&] { problems_ = {observed_.place(observed, field)}; });
}

std::vector<SampleMiss> CpuBackend::misses(const Matrix<double, 3, 3>& target_from_source, std::uint32_t level) {
  return misses_on_host<2>(problems_.front().level[level], target_from_source);
}

std::vector<SampleMiss> CpuBackend::misses(const Matrix<double, 4, 4>& target_from_source, std::uint32_t level) {
  return misses_on_host<3>(problems_.front().level[level], target_from_source);
}

}  // namespace dovetail
#endif
