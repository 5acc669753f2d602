// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <set>

#include "mesh/mesh_edges.h"

namespace dovetail::mesh {

/// Where open edges lie on each other: one side of a seam has a long edge, the other several short ones.
class Slits {
 public:
  /// Of edges that one triangle alone has.
  Slits(const WeldedMesh& mesh, const std::vector<Edge>& open);

  /// Two of them, by their places in `open`.
  struct Meeting {
    std::size_t first, second;
    bool same_way;  ///< their triangles show different sides
  };
  const std::vector<Meeting>& meetings() const { return meetings_; }
  /// Whether the middle of an open edge lies on another.
  bool covers(const Edge& edge) const { return covered_.count({edge.low, edge.high}) > 0; }

 private:
  std::vector<Meeting> meetings_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> covered_;
};

}  // namespace dovetail::mesh
