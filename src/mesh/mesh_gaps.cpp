// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "mesh/mesh_gaps.h"

#include <algorithm>
#include <map>

#include "dovetail/mesh_check.h"
#include "mesh/joined_sets.h"
#include "mesh/slits.h"
#include "spatial/bounds.h"

namespace dovetail::mesh {
namespace {

void measure(const WeldedMesh& mesh, const Slits& slits, Gap& gap) {
  Bounds box;
  for (const Edge& edge : gap.edges) {
    for (const std::uint32_t end : {edge.low, edge.high}) {
      box.add(mesh.places[end]);
      gap.middle += mesh.places[end];
    }
  }
  gap.middle *= 0.5 / static_cast<double>(gap.edges.size());
  gap.size = box.diagonal();
  gap.slit = std::all_of(gap.edges.begin(), gap.edges.end(), [&](const Edge& edge) { return slits.covers(edge); });
}

}  // namespace

Gaps gaps_of(const WeldedMesh& mesh) {
  Gaps gaps;
  const std::vector<Edge> edges = sorted_edges(mesh);
  std::vector<Edge> open;
  JoinedSets chains(mesh.places.size());
  for_each_edge(edges, [&](std::size_t first, std::size_t last) {
    if (last - first == 1) {
      open.push_back(edges[first]);
      chains.join(edges[first].low, edges[first].high);
    } else if (last - first > 2) {
      ++gaps.crowded;
      std::size_t rising = 0;
      for (std::size_t i = first; i < last; ++i) rising += edges[i].rises;
      gaps.uneven += 2 * rising != last - first;
    }
  });
  const Slits slits(mesh, open);
  std::map<std::uint32_t, Gap> by_chain;
  for (const Edge& edge : open) by_chain[chains.find(edge.low)].edges.push_back(edge);
  for (auto& [chain, gap] : by_chain) {
    measure(mesh, slits, gap);
    gaps.all.push_back(std::move(gap));
  }
  return gaps;
}

void close_small_holes(WeldedMesh& mesh) {
  for (const Gap& gap : gaps_of(mesh).all) {
    if (gap.slit || gap.size > small_hole * mesh.diagonal) continue;
    const auto middle = static_cast<std::uint32_t>(mesh.places.size());
    mesh.places.push_back(gap.middle);
    for (const Edge& edge : gap.edges) {
      // Against the triangle that is there.
      mesh.triangles.push_back(edge.rises ? Corners{edge.high, edge.low, middle}
                                          : Corners{edge.low, edge.high, middle});
    }
  }
}

}  // namespace dovetail::mesh
