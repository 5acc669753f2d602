// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend_impl.cuh"
#include "spatial/kd_search.h"

namespace dovetail {

namespace {

/// A warp for each hypothesis.
template <class M>
struct SamplePass : cuda::SmallPass<32> {
  /// What all items of a hypothesis share is worked out once per lane.
  __device__ static void all(const cuda::Item<M>& item, double (&all_sums)[doubles_in<typename M::Sums>]) {
    const typename M::Context context = M::context_of(item.data, item.params, item.state, item.hypothesis);
    const std::uint32_t items = M::items(item.data, item.state);
    for (std::uint32_t i = item.index; i < items; i += lanes) {
      typename M::Sums sums{};
      M::add_item(item.data, item.params, item.state, item.hypothesis, context, i, KdSearch{}, sums);
#pragma unroll
      for (int k = 0; k < doubles_in<typename M::Sums>; ++k) all_sums[k] += as_doubles(sums)[k];
    }
  }
};

}  // namespace

void CudaBackend::add_samples() { add_passes<SamplePass>(SampleMethods{}); }

}  // namespace dovetail
