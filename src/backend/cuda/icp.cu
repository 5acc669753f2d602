// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "methods/icp.h"

#include "backend/cuda/cuda_backend_impl.cuh"
#include "spatial/kd_search.h"

namespace dovetail {

namespace {

template <class M>
struct IcpPass : cuda::PointPass {
  template <class Add>
  __device__ void operator()(const cuda::Item<M>& item, const Add& add, const cuda::Bins<std::uint32_t>& bins) const {
    const CloudView& points = item.data.source;
    const KdTreeView& tree = item.data.target;
    const icp::State& state = item.state;
    const std::uint32_t i = item.index;
    icp::Pair<float> pair;
    pair.weight = points.weight != nullptr ? points.weight[i] : 1.0f;
    if (!(pair.weight > 0)) return;  // as if it were not there
    const FloatPose pose(state.target_from_source);
    pair.source[0] = points.x[i];
    pair.source[1] = points.y[i];
    pair.source[2] = points.z[i];
    pose.apply(pair.source[0], pair.source[1], pair.source[2], pair.moved);
    const Neighbour match = nearest(tree, pair.moved[0], pair.moved[1], pair.moved[2], icp::search_squared(state));
    bins.add(match.found() ? icp::distance_bin(match.squared_distance) : icp::beyond_reach_bin, 1u);
    if (!match.found() || !(match.squared_distance <= icp::used_squared(state))) return;
    const TreePoint q = tree.points[match.slot];
    pair.target[0] = q.x;
    pair.target[1] = q.y;
    pair.target[2] = q.z;
    const icp::PairSettings settings = icp::pair_settings(item.params, state);
    if constexpr (M::metric == Metric::point_to_point) {
      icp::point_to_point_terms(pair, settings, add);
    } else {
      const NormalsView& n = item.data.target_normals;
      pair.target_normal[0] = n.x[match.slot];
      pair.target_normal[1] = n.y[match.slot];
      pair.target_normal[2] = n.z[match.slot];
      if constexpr (M::metric == Metric::point_to_plane) {
        icp::point_to_plane_terms(pair, settings, add);
      } else {
        pose.rotate(points.normal.x[i], points.normal.y[i], points.normal.z[i], pair.source_normal);
        icp::plane_to_plane_terms(pair, settings, add);
      }
    }
  }
};

}  // namespace

void CudaBackend::add_icp() { add_passes<IcpPass>(IcpMethods{}); }

}  // namespace dovetail
