// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/reference/reference_backend.h"
#include "spatial/squared_distance.h"

// Evaluation, and the passes that write a row for each item.

namespace dovetail {

namespace {

auto nearest_in(const KdTreeView& tree) {
  return [&tree](const float* q, float reach) { return reference::nearest(tree, q, reach); };
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
  const KdTreeView& tree = b.data.tree;
  const auto offer_all = [&](const TreePoint& p, auto& neighbours) {
    for (std::uint32_t slot = 0; slot < tree.count; ++slot) {
      const TreePoint q = tree.points[slot];
      neighbours.offer({slot, q.index, squared_distance(p.x - q.x, p.y - q.y, p.z - q.z)});
    }
  };
  for (std::uint32_t i = b.first; i < b.last; ++i) {
    b.sums.known += Normals::write_row(b.data, b.params, i, offer_all) ? 1 : 0;
  }
}

void local_points_block(const Block<LocalPoints>& b) {
  for (std::uint32_t i = b.first; i < b.last; ++i) LocalPoints::write_row(b.data, i);
}

}  // namespace

void ReferenceBackend::add_rows() {
  add_pass<Evaluation, evaluation_block>();
  add_pass<Touches, touches_block>();
  add_pass<Normals, normals_block>();
  add_pass<LocalPoints, local_points_block>();
}

}  // namespace dovetail
