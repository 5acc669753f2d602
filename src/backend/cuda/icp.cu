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
  __device__ void operator()(const LevelView& level, const icp::Params& params, const icp::State& state,
                             std::uint32_t point, const Add& add, std::uint32_t* histogram) const {
    icp::Pair<float> pair;
    pair.weight = level.weight != nullptr ? level.weight[point] : 1.0f;
    if (!(pair.weight > 0)) return;  // as if it were not there
    const FloatPose pose(state.target_from_source);
    pair.source[0] = level.x[point];
    pair.source[1] = level.y[point];
    pair.source[2] = level.z[point];
    pose.apply(pair.source[0], pair.source[1], pair.source[2], pair.moved);
    const Neighbour match =
        nearest(level.target, pair.moved[0], pair.moved[1], pair.moved[2], icp::search_squared(state));
    atomicAdd(&histogram[match.found() ? icp::distance_bin(match.squared_distance) : icp::beyond_reach_bin], 1u);
    if (!match.found() || !(match.squared_distance <= icp::used_squared(state))) return;
    const TreePoint q = level.target.points[match.slot];
    pair.target[0] = q.x;
    pair.target[1] = q.y;
    pair.target[2] = q.z;
    const icp::PairSettings settings = icp::pair_settings(params, state);
    float residual = 0;
    if constexpr (M::metric == Metric::point_to_point) {
      residual = icp::point_to_point_terms(pair, settings, add);
    } else {
      pair.target_normal[0] = level.target_nx[match.slot];
      pair.target_normal[1] = level.target_ny[match.slot];
      pair.target_normal[2] = level.target_nz[match.slot];
      if constexpr (M::metric == Metric::point_to_plane) {
        residual = icp::point_to_plane_terms(pair, settings, add);
      } else {
        pose.rotate(level.nx[point], level.ny[point], level.nz[point], pair.source_normal);
        residual = icp::plane_to_plane_terms(pair, settings, add);
      }
    }
    atomicAdd(&histogram[icp::residual_bin(residual)], 1u);
  }
};

}  // namespace

void CudaBackend::run(Batch<icp::PointToPoint>& batch) { impl_->loop<IcpPass<icp::PointToPoint>>(batch); }
void CudaBackend::run(Batch<icp::PointToPlane>& batch) { impl_->loop<IcpPass<icp::PointToPlane>>(batch); }
void CudaBackend::run(Batch<icp::PlaneToPlane>& batch) { impl_->loop<IcpPass<icp::PlaneToPlane>>(batch); }

}  // namespace dovetail
