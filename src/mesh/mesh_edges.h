// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "mesh/welded_mesh.h"

namespace dovetail::mesh {

/// An edge of a triangle, from one corner to the next.
struct Edge {
  std::uint32_t low, high;  ///< the corners' places
  std::uint32_t triangle;
  bool rises;  ///< goes from low to high there

  std::uint32_t from() const { return rises ? low : high; }
  std::uint32_t to() const { return rises ? high : low; }
};

/// All edges, those between the same places together, in the order of the triangles.
std::vector<Edge> sorted_edges(const WeldedMesh& mesh);

/// Calls each(first, last) for the edges between the same two places.
template <class Each>
void for_each_edge(const std::vector<Edge>& edges, const Each& each) {
  for (std::size_t first = 0; first < edges.size();) {
    std::size_t last = first + 1;
    while (last < edges.size() && edges[last].low == edges[first].low && edges[last].high == edges[first].high) ++last;
    each(first, last);
    first = last;
  }
}

}  // namespace dovetail::mesh
