// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "mesh/mesh_edges.h"

#include <algorithm>

namespace dovetail::mesh {

std::vector<Edge> sorted_edges(const WeldedMesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t from = mesh.triangles[i][k], to = mesh.triangles[i][(k + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), i, from < to});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.triangle < b.triangle;
  });
  return edges;
}

}  // namespace dovetail::mesh
