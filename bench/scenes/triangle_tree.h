// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dovetail/models.h"
#include "dovetail/points.h"

namespace dovetail::bench::scenes {

/// The triangles of a mesh in a tree of boxes, to ask whether two surfaces cross.
class TriangleTree {
 public:
  explicit TriangleTree(const PointCloud& mesh);

  /// Whether a triangle of one passes through one of the other. Faces that only lie on each other do not.
  friend bool surfaces_cross(const TriangleTree& a, const TriangleTree& b, const Rigid3& b_from_a);

 private:
  using Triangle = std::array<Vec3, 3>;

  struct Node {
    Vec3 center{}, half{};                // of the box
    std::uint32_t begin = 0, end = 0;     // its triangles
    std::uint32_t first = 0, second = 0;  // children; 0: a leaf
  };

  std::uint32_t add_node(std::uint32_t begin, std::uint32_t end);
  static bool crosses(const Triangle& a, const Triangle& b);

  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;
};

}  // namespace dovetail::bench::scenes
