// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "spatial/kd_tree.h"
#include "spatial/neighbours.h"
#include "spatial/squared_distance.h"

namespace dovetail {

/// A search that looks at every point: as KdSearch, whose oracle it is.
struct EveryPoint {
  static Neighbour nearest(const KdTreeView& tree, const float* query, float max_squared_distance, float = 1) {
    Nearest result(max_squared_distance);
    offer(tree, {query[0], query[1], query[2], 0}, result);
    return result.best();
  }
  /// What a bucket holds is the tree's own business: asked for less than the nearest, it answers with the nearest.
  static Neighbour in_bucket(const KdTreeView& tree, const float* query, float max_squared_distance) {
    return nearest(tree, query, max_squared_distance);
  }
  template <class Neighbours>
  static void offer(const KdTreeView& tree, const TreePoint& query, Neighbours& neighbours) {
    for (std::uint32_t slot = 0; slot < tree.count; ++slot) {
      const TreePoint& p = tree.points[slot];
      neighbours.offer({slot, p.index, squared_distance(query.x - p.x, query.y - p.y, query.z - p.z)});
    }
  }
};

}  // namespace dovetail
