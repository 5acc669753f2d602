// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "spatial/kd_search.h"

// Evaluation, and the passes that write a row for each item.

namespace dovetail {

namespace {

auto nearest_in(const KdTreeView& tree) {
  return [&tree](const float* q, float reach) { return nearest(tree, q[0], q[1], q[2], reach); };
}

void evaluation_block(const Block<Evaluation>& b) {
  const FloatPose pose(b.state.target_from_source);
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    Evaluation::add_point(b.data, b.params, pose, i, nearest_in(b.data.target), b.sums);
  }
}

void touches_block(const Block<Touches>& b) {
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    b.sums.found += Touches::write_row(b.data, b.params, b.state, i, nearest_in(b.data.pair.target)) ? 1 : 0;
  }
}

void normals_block(const Block<Normals>& b) {
  const auto find = [&](const TreePoint& p, auto& neighbours) { search(b.data.tree, p.x, p.y, p.z, neighbours); };
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    b.sums.known += Normals::write_row(b.data, b.params, i, find) ? 1 : 0;
  }
}

void local_points_block(const Block<LocalPoints>& b) {
  for (std::uint32_t i = b.first; i < b.last; ++i) LocalPoints::write_row(b.data, i);
}

template <int D>
void misses_block(const Block<chamfer::Misses<D>>& b) {
  const typename chamfer::Misses<D>::Map map(b.state.target_from_source);
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    b.sums.found += chamfer::Misses<D>::write_row(b.data, map, i) ? 1 : 0;
  }
}

}  // namespace

void CpuBackend::add_rows() {
  add_pass<Evaluation, evaluation_block>();
  add_pass<Touches, touches_block>();
  add_pass<Normals, normals_block>();
  add_pass<LocalPoints, local_points_block>();
  add_pass<chamfer::Misses<2>, misses_block<2>>();
  add_pass<chamfer::Misses<3>, misses_block<3>>();
}

}  // namespace dovetail
