// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "mesh/triangle_boxes.h"

#include <algorithm>
#include <numeric>

namespace dovetail::mesh {

TriangleBoxes::TriangleBoxes(const WeldedMesh& mesh) {
  for (const Corners& t : mesh.triangles) {
    Bounds& box = boxes_.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) box.add(mesh.corner(t, k));
  }
  order_.resize(boxes_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  if (!boxes_.empty()) build(0, static_cast<std::uint32_t>(boxes_.size()));
}

void TriangleBoxes::build(std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint32_t leaf_size = 4;
  const std::size_t at = nodes_.size();
  Bounds box, middles;
  for (std::uint32_t i = begin; i < end; ++i) {
    const Bounds& own = boxes_[order_[i]];
    box.add(own.low), box.add(own.high);
    middles.add(own.center());
  }
  nodes_.push_back({box, begin, end, 0});
  if (end - begin <= leaf_size) return;
  const Vec3 sides = middles.sides();
  const int axis = sides[0] >= sides[1] && sides[0] >= sides[2] ? 0 : sides[1] >= sides[2] ? 1 : 2;
  const std::uint32_t half = begin + (end - begin) / 2;
  const auto where = [&](std::uint32_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(where(begin), where(half), where(end), [&](std::uint32_t a, std::uint32_t b) {
    const double x = boxes_[a].center()[axis], y = boxes_[b].center()[axis];
    return x != y ? x < y : a < b;
  });
  build(begin, half);
  nodes_[at].right = static_cast<std::uint32_t>(nodes_.size());
  build(half, end);
}

}  // namespace dovetail::mesh
