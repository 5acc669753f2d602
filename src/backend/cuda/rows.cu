// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend_impl.cuh"
#include "spatial/kd_search.h"

namespace dovetail {

namespace {

template <class M>
struct RowPass : cuda::PointPass {
  template <class Add>
  __device__ void operator()(const cuda::Item<M>& item, const Add& add, const cuda::Bins<std::uint32_t>&) const {
    typename M::Sums sums{};
    M::add_item(item.data, item.params, item.state, item.index, KdSearch{}, sums);
    for (int k = 0; k < doubles_in<typename M::Sums>; ++k) add(k, as_doubles(sums)[k]);
  }
};

}  // namespace

void CudaBackend::add_rows() { add_passes<RowPass>(RowMethods{}); }

}  // namespace dovetail
