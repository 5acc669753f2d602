// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend_impl.cuh"
#include "methods/drawn_part.h"
#include "spatial/kd_search.h"

// Compiled without fused multiplications and additions: what decides about a point or a pixel are the host's bits.

namespace dovetail {

namespace {

/// A warp for each pose.
template <class M>
struct FinePosePass : cuda::SmallPass<32> {
  __device__ static void all(const cuda::Item<M>& item, double (&sums)[doubles_in<typename M::Sums>]) {
    typename M::Sums own{};
    const typename M::Context context = M::context_of(item.data, item.state);
    const std::uint32_t items = M::items(item.data, item.state);
    for (std::uint32_t i = item.index; i < items; i += lanes) M::add_item(item.data, item.state, context, i, own);
#pragma unroll
    for (int k = 0; k < doubles_in<typename M::Sums>; ++k) sums[k] = as_doubles(own)[k];
  }
};

/// A pixel a thread.
template <class M>
struct PixelPass : cuda::PointPass {
  template <class Add>
  __device__ void operator()(const cuda::Item<M>& item, const Add& add, const cuda::Bins<std::uint32_t>&) const {
    typename M::Sums sums{};
    M::add_item(item.data, item.params, item.state, item.index, KdSearch{}, sums);
    for (int k = 0; k < doubles_in<typename M::Sums>; ++k) add(k, as_doubles(sums)[k]);
  }
};

}  // namespace

void CudaBackend::add_fine_pose() {
  add_passes<FinePosePass>(List<fine::FinePose>{});
  add_passes<PixelPass>(PixelMethods{});
}

}  // namespace dovetail
