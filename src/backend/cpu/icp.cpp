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
  HWY_ALIGN float source[3][block_items];
  HWY_ALIGN float moved[3][block_items];
  HWY_ALIGN float target[3][block_items];
  HWY_ALIGN float target_normal[3][block_items];
  HWY_ALIGN float source_normal[3][block_items];
  HWY_ALIGN float weight[block_items];
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
    if constexpr (M::metric == Metric::point_to_point) point_to_point_terms(pair, settings, add);
    if constexpr (M::metric == Metric::point_to_plane) point_to_plane_terms(pair, settings, add);
    if constexpr (M::metric == Metric::plane_to_plane) plane_to_plane_terms(pair, settings, add);
  }
  for (int k = 0; k < doubles_in<typename M::Sums>; ++k) as_doubles(sums)[k] = totals[k].total();
}

template <class M>
void icp_block(const Block<M>& b) {
  PairArrays pairs;
  const CloudView& points = b.data.source;
  const KdTreeView& tree = b.data.target;
  const std::uint32_t count = b.last - b.first;
  const std::size_t padded = hwy::RoundUpTo(count, lane_count);
  const FloatPose pose(b.state.target_from_source);
  const float reach = icp::search_squared(b.state), used = icp::used_squared(b.state);
  for (std::uint32_t i = 0; i < padded; ++i) {
    for (int a = 0; a < 3; ++a) {
      pairs.source[a][i] = pairs.moved[a][i] = pairs.target[a][i] = 0;
      pairs.target_normal[a][i] = pairs.source_normal[a][i] = 0;
    }
    pairs.weight[i] = 0;
    if (i >= count) continue;
    const std::uint32_t p = b.first + i;
    const float weight = points.weight != nullptr ? points.weight[p] : 1.0f;
    if (!(weight > 0)) continue;  // as if it were not there
    float moved[3];
    pose.apply(points.x[p], points.y[p], points.z[p], moved);
    const Neighbour match = nearest(tree, moved[0], moved[1], moved[2], reach);
    ++b.bins[match.found() ? icp::distance_bin(match.squared_distance) : icp::beyond_reach_bin];
    if (!match.found() || !(match.squared_distance <= used)) continue;
    const TreePoint& q = tree.points[match.slot];
    const float source[3] = {points.x[p], points.y[p], points.z[p]}, target[3] = {q.x, q.y, q.z};
    for (int a = 0; a < 3; ++a) {
      pairs.source[a][i] = source[a];
      pairs.moved[a][i] = moved[a];
      pairs.target[a][i] = target[a];
    }
    pairs.weight[i] = weight;
    if constexpr (M::metric != Metric::point_to_point) {
      const NormalsView& n = b.data.target_normals;
      pairs.target_normal[0][i] = n.x[match.slot];
      pairs.target_normal[1][i] = n.y[match.slot];
      pairs.target_normal[2][i] = n.z[match.slot];
    }
    if constexpr (M::metric == Metric::plane_to_plane) {
      float turned[3];
      pose.rotate(points.normal.x[p], points.normal.y[p], points.normal.z[p], turned);
      for (int a = 0; a < 3; ++a) pairs.source_normal[a][i] = turned[a];
    }
  }
  sum_terms<M>(pairs, padded, icp::pair_settings(b.params, b.state), b.sums);
}

template <class... M>
BlockPasses<List<M...>> passes(List<M...>) {
  return {icp_block<M>...};
}
BlockPasses<IcpMethods> icp_blocks() { return passes(IcpMethods{}); }

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dovetail {

HWY_EXPORT(icp_blocks);

namespace {
BlockPasses<IcpMethods> icp_passes() { return HWY_DYNAMIC_DISPATCH(icp_blocks)(); }
}  // namespace

void CpuBackend::add_icp() { add_passes<icp_passes>(IcpMethods{}); }

}  // namespace dovetail
#endif
