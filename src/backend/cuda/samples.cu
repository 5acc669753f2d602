// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend_impl.cuh"
#include "spatial/kd_search.h"

namespace dovetail {

namespace {

/// A warp for each hypothesis.
template <class M>
struct SamplePass : cuda::SmallPass<32> {
  template <class Add>
  __device__ void operator()(const cuda::Item<M>& item, const Add& add, const cuda::Bins<std::uint32_t>&) const {
    typename M::Sums sums{};
    const typename M::Context context = M::context_of(item.data, item.params, item.state, item.hypothesis);
    M::add_item(item.data, item.params, item.state, item.hypothesis, context, item.index, KdSearch{}, sums);
    for (int k = 0; k < doubles_in<typename M::Sums>; ++k) add(k, as_doubles(sums)[k]);
  }
};

}  // namespace

void CudaBackend::add_samples() { add_passes<SamplePass>(SampleMethods{}); }

}  // namespace dovetail
