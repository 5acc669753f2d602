// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/icp.h"

#include "backend/cpu/cpu_backend.h"
#include "spatial/kd_search.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/icp.cpp"
#include "hwy/foreach_target.h"
//
#include "backend/cpu/lanes.h"

// Compiled once for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

using icp::PairSettings;
#include "methods/icp_terms.inl"

/// The pairs of one block, one array a coordinate, ready for vector loads.
struct PairArrays {
  HWY_ALIGN float source[3][block_points];
  HWY_ALIGN float moved[3][block_points];
  HWY_ALIGN float target[3][block_points];
  HWY_ALIGN float target_normal[3][block_points];
  HWY_ALIGN float source_normal[3][block_points];
  HWY_ALIGN float weight[block_points];
  HWY_ALIGN float residual_squared[block_points];
};

template <class M>
void sum_terms(PairArrays& pairs, std::size_t count, const PairSettings& settings, typename M::Sums& sums) {
  DoubleLanes totals[doubles_in<typename M::Sums>];
  const auto add = [&](int k, const Lanes& value) HWY_ATTR { totals[k].add(value); };
  for (std::size_t i = 0; i < count; i += lane_count) {
    Pair<Lanes> pair;
    for (int a = 0; a < 3; ++a) {
      pair.source[a] = Lanes::load(pairs.source[a] + i);
      pair.moved[a] = Lanes::load(pairs.moved[a] + i);
      pair.target[a] = Lanes::load(pairs.target[a] + i);
      pair.target_normal[a] = Lanes::load(pairs.target_normal[a] + i);
      pair.source_normal[a] = Lanes::load(pairs.source_normal[a] + i);
    }
    pair.weight = Lanes::load(pairs.weight + i);
    Lanes residual;
    if constexpr (M::metric == Metric::point_to_point) residual = point_to_point_terms(pair, settings, add);
    if constexpr (M::metric == Metric::point_to_plane) residual = point_to_plane_terms(pair, settings, add);
    if constexpr (M::metric == Metric::plane_to_plane) residual = plane_to_plane_terms(pair, settings, add);
    residual.store(pairs.residual_squared + i);
  }
  for (int k = 0; k < doubles_in<typename M::Sums>; ++k) as_doubles(sums)[k] = totals[k].total();
}

template <class M>
void icp_block(const LevelView& level, const icp::Params& params, const icp::State& state, std::uint32_t block,
               typename M::Sums& sums, std::uint32_t* histogram) {
  PairArrays pairs;
  const std::uint32_t first = block * block_points;
  const std::uint32_t count = std::min(block_points, level.count - first);
  const std::size_t padded = hwy::RoundUpTo(count, lane_count);
  const FloatPose pose(state.target_from_source);
  const float reach = icp::search_squared(state), used = icp::used_squared(state);
  for (std::uint32_t i = 0; i < padded; ++i) {
    for (int a = 0; a < 3; ++a) {
      pairs.source[a][i] = pairs.moved[a][i] = pairs.target[a][i] = 0;
      pairs.target_normal[a][i] = pairs.source_normal[a][i] = 0;
    }
    pairs.weight[i] = 0;
    if (i >= count) continue;
    const std::uint32_t p = first + i;
    const float weight = level.weight != nullptr ? level.weight[p] : 1.0f;
    if (!(weight > 0)) continue;  // as if it were not there
    float moved[3];
    pose.apply(level.x[p], level.y[p], level.z[p], moved);
    const Neighbour match = nearest(level.target, moved[0], moved[1], moved[2], reach);
    ++histogram[match.found() ? icp::distance_bin(match.squared_distance) : icp::beyond_reach_bin];
    if (!match.found() || !(match.squared_distance <= used)) continue;
    const TreePoint& q = level.target.points[match.slot];
    const float source[3] = {level.x[p], level.y[p], level.z[p]}, target[3] = {q.x, q.y, q.z};
    for (int a = 0; a < 3; ++a) {
      pairs.source[a][i] = source[a];
      pairs.moved[a][i] = moved[a];
      pairs.target[a][i] = target[a];
    }
    pairs.weight[i] = weight;
    if constexpr (M::metric != Metric::point_to_point) {
      pairs.target_normal[0][i] = level.target_nx[match.slot];
      pairs.target_normal[1][i] = level.target_ny[match.slot];
      pairs.target_normal[2][i] = level.target_nz[match.slot];
    }
    if constexpr (M::metric == Metric::plane_to_plane) {
      float turned[3];
      pose.rotate(level.nx[p], level.ny[p], level.nz[p], turned);
      for (int a = 0; a < 3; ++a) pairs.source_normal[a][i] = turned[a];
    }
  }
  sum_terms<M>(pairs, padded, icp::pair_settings(params, state), sums);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (pairs.weight[i] > 0) ++histogram[icp::residual_bin(pairs.residual_squared[i])];
  }
}

void point_to_point_block(const LevelView& level, const icp::Params& params, const icp::State& state,
                          std::uint32_t block, icp::PointToPoint::Sums& sums, std::uint32_t* histogram,
                          const PointArrays&) {
  icp_block<icp::PointToPoint>(level, params, state, block, sums, histogram);
}
void point_to_plane_block(const LevelView& level, const icp::Params& params, const icp::State& state,
                          std::uint32_t block, icp::PointToPlane::Sums& sums, std::uint32_t* histogram,
                          const PointArrays&) {
  icp_block<icp::PointToPlane>(level, params, state, block, sums, histogram);
}
void plane_to_plane_block(const LevelView& level, const icp::Params& params, const icp::State& state,
                          std::uint32_t block, icp::PlaneToPlane::Sums& sums, std::uint32_t* histogram,
                          const PointArrays&) {
  icp_block<icp::PlaneToPlane>(level, params, state, block, sums, histogram);
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(point_to_point_block);
HWY_EXPORT(point_to_plane_block);
HWY_EXPORT(plane_to_plane_block);

void CpuBackend::run(Batch<icp::PointToPoint>& batch) { loop(batch, HWY_DYNAMIC_DISPATCH(point_to_point_block)); }
void CpuBackend::run(Batch<icp::PointToPlane>& batch) { loop(batch, HWY_DYNAMIC_DISPATCH(point_to_plane_block)); }
void CpuBackend::run(Batch<icp::PlaneToPlane>& batch) { loop(batch, HWY_DYNAMIC_DISPATCH(plane_to_plane_block)); }

}  // namespace dovetail
#endif
