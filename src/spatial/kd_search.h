// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>

#include "dovetail/host_device.h"
#include "spatial/kd_tree.h"
#include "spatial/neighbours.h"
#include "spatial/squared_distance.h"

namespace dovetail {

namespace detail {

/// A subtree still to be looked at: its squared distance from the query along each axis.
struct alignas(16) PendingNode {
  std::uint32_t node;
  float sx, sy, sz;
};

DOVETAIL_HD inline int depth_of(std::uint32_t heap_node) {
#if defined(__CUDA_ARCH__)
  return 31 - __clz(static_cast<int>(heap_node));
#else
  return 31 - __builtin_clz(heap_node);
#endif
}

}  // namespace detail

/// Offers `result` every point of the tree that it could take. Exact, ties included, when `bound_factor` is 1: the
/// lower bound of a subtree is rounded by the same operations, in the same order, as the distance of a point in it, and
/// rounding is monotone, so the bound never exceeds the distance that would be computed.
/// With bound_factor = (1 + epsilon)² a point found may be up to (1 + epsilon) times farther than the nearest.
template <class Result>
DOVETAIL_HD void search(const KdTreeView& tree, float qx, float qy, float qz, Result& result,
                        float bound_factor = 1.0f) {
  if (tree.count == 0) return;
  const std::uint32_t first_bucket = tree.first_bucket();
  detail::PendingNode pending[KdTree::max_depth];
  int pending_count = 0;
  detail::PendingNode here{1, 0, 0, 0};
  for (;;) {
    std::uint32_t node = here.node;
    bool uniform = false;
    while (node < first_bucket) {
      const KdNode inner = tree.nodes[node];
      uniform = inner.axis == KdNode::uniform;
      if (uniform) break;
      const float offset = (inner.axis == 0 ? qx : inner.axis == 1 ? qy : qz) - inner.split;
      const std::uint32_t near = 2 * node + (offset > 0 ? 1u : 0u);
      const float square = rounded_square(offset);
      const detail::PendingNode far{near ^ 1u, inner.axis == 0 ? square : here.sx, inner.axis == 1 ? square : here.sy,
                                    inner.axis == 2 ? square : here.sz};
      if (rounded_sum(far.sx, far.sy, far.sz) * bound_factor <= result.worst()) pending[pending_count++] = far;
      node = near;
    }
    const SlotRange slots = tree.slots(node, uniform ? detail::depth_of(node) : tree.depth);
    for (std::uint32_t slot = slots.begin; slot < slots.end; ++slot) {
      const TreePoint point = tree.points[slot];
      const float distance = squared_distance(qx - point.x, qy - point.y, qz - point.z);
      const bool taken = result.offer({slot, point.index, distance});
      // Equal points lie in the order of their indices: once one is refused, so would be the rest.
      if (uniform && !taken) break;
    }
    do {
      if (pending_count == 0) return;
      here = pending[--pending_count];
    } while (!(rounded_sum(here.sx, here.sy, here.sz) * bound_factor <= result.worst()));
  }
}

/// The nearest point within a distance; `found()` is false when there is none.
DOVETAIL_HD inline Neighbour nearest(const KdTreeView& tree, float qx, float qy, float qz, float max_squared_distance,
                                     float bound_factor = 1.0f) {
  Nearest result(max_squared_distance);
  search(tree, qx, qy, qz, result, bound_factor);
  return result.best();
}

/// The nearest of the points in the one bucket a query would be in: straight down the tree, and never back up.
DOVETAIL_HD inline Neighbour nearest_in_bucket(const KdTreeView& tree, float qx, float qy, float qz,
                                               float max_squared_distance) {
  Nearest result(max_squared_distance);
  if (tree.count == 0) return result.best();
  std::uint32_t node = 1;
  bool uniform = false;
  while (node < tree.first_bucket() && !uniform) {
    const KdNode inner = tree.nodes[node];
    uniform = inner.axis == KdNode::uniform;
    if (!uniform) node = 2 * node + ((inner.axis == 0 ? qx : inner.axis == 1 ? qy : qz) > inner.split ? 1u : 0u);
  }
  const SlotRange slots = tree.slots(node, uniform ? detail::depth_of(node) : tree.depth);
  for (std::uint32_t slot = slots.begin; slot < slots.end; ++slot) {
    const TreePoint point = tree.points[slot];
    const bool taken = result.offer({slot, point.index, squared_distance(qx - point.x, qy - point.y, qz - point.z)});
    if (uniform && !taken) break;  // as search() has it
  }
  return result.best();
}

/// The search through a tree, for those who may be given another way.
struct KdSearch {
  DOVETAIL_HD static Neighbour nearest(const KdTreeView& tree, const float* query, float max_squared_distance,
                                       float bound_factor = 1.0f) {
    return dovetail::nearest(tree, query[0], query[1], query[2], max_squared_distance, bound_factor);
  }
  DOVETAIL_HD static Neighbour in_bucket(const KdTreeView& tree, const float* query, float max_squared_distance) {
    return nearest_in_bucket(tree, query[0], query[1], query[2], max_squared_distance);
  }
  /// Offers the points that may be near to `neighbours`.
  template <class Neighbours>
  DOVETAIL_HD static void offer(const KdTreeView& tree, const TreePoint& query, Neighbours& neighbours) {
    search(tree, query.x, query.y, query.z, neighbours);
  }
};

}  // namespace dovetail
