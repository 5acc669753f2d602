// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend_impl.cuh"
#include "spatial/kd_search.h"

// Evaluation, and the passes that write a row for each item.

namespace dovetail {

namespace {

struct NearestIn {
  const KdTreeView& tree;
  __device__ Neighbour operator()(const float* q, float reach) const { return nearest(tree, q[0], q[1], q[2], reach); }
};

template <class M>
struct RowPass : cuda::PointPass {
  template <class Add>
  __device__ void operator()(const cuda::Item<M>& item, const Add& add, const cuda::Bins<std::uint32_t>&) const {
    if constexpr (std::is_same_v<M, Evaluation>) {
      Evaluation::Sums sums{};
      Evaluation::add_point(item.data, item.params, FloatPose(item.state.target_from_source), item.index,
                            NearestIn{item.data.target}, sums);
      for (int k = 0; k < doubles_in<Evaluation::Sums>; ++k) add(k, as_doubles(sums)[k]);
    } else if constexpr (std::is_same_v<M, Touches>) {
      const NearestIn find{item.data.pair.target};
      if (Touches::write_row(item.data, item.params, item.state, item.index, find)) add(0, 1.0);
    } else if constexpr (std::is_same_v<M, Normals>) {
      const KdTreeView& tree = item.data.tree;
      const auto find = [&](const TreePoint& p, auto& neighbours) { search(tree, p.x, p.y, p.z, neighbours); };
      if (Normals::write_row(item.data, item.params, item.index, find)) add(0, 1.0);
    } else if constexpr (std::is_same_v<M, LocalPoints>) {
      LocalPoints::write_row(item.data, item.index);
    } else {
      const typename M::Map map(item.state.target_from_source);
      if (M::write_row(item.data, map, item.index)) add(0, 1.0);
    }
  }
};

}  // namespace

void CudaBackend::add_rows() {
  add_passes<RowPass>(Joined<List<Evaluation, Touches, Normals, LocalPoints>, MissMethods>{});
}

}  // namespace dovetail
