// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "mesh/welded_mesh.h"
#include "spatial/bounds.h"

namespace dovetail::mesh {

/// Boxes in boxes over triangles: which come near which.
class TriangleBoxes {
 public:
  explicit TriangleBoxes(const WeldedMesh& mesh);

  /// Calls each(other) for every other triangle whose box meets that of `triangle`.
  template <class Each>
  void for_each_near(std::uint32_t triangle, const Each& each) const {
    if (nodes_.empty()) return;
    std::uint32_t pending[64];  // the tree is balanced: its depth is below 32
    int count = 0;
    pending[count++] = 0;
    while (count > 0) {
      const std::uint32_t at = pending[--count];
      const Node& node = nodes_[at];
      if (!meet(node.box, boxes_[triangle])) continue;
      if (node.right != 0) {
        pending[count++] = node.right;
        pending[count++] = at + 1;
        continue;
      }
      for (std::uint32_t i = node.begin; i < node.end; ++i) {
        if (order_[i] != triangle && meet(boxes_[order_[i]], boxes_[triangle])) each(order_[i]);
      }
    }
  }

 private:
  struct Node {
    Bounds box;
    std::uint32_t begin, end;
    std::uint32_t right;  ///< the left child follows its parent; 0 at a leaf
  };

  static bool meet(const Bounds& a, const Bounds& b) {
    for (int k = 0; k < 3; ++k) {
      if (a.low[k] > b.high[k] || a.high[k] < b.low[k]) return false;
    }
    return true;
  }
  void build(std::uint32_t begin, std::uint32_t end);

  std::vector<Bounds> boxes_;  // by triangle
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace dovetail::mesh
