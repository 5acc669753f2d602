// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>

#include "dovetail/host_device.h"
#include "spatial/left_balanced_tree.h"
#include "spatial/neighbours.h"
#include "spatial/squared_distance.h"

// Three ways through a left-balanced tree. The first two offer `result` every point it could take, and are exact, ties
// included, when `bound_factor` is 1: |q - split| along one axis is rounded as a point's distance is, which adds to its
// square and never takes away. With bound_factor = (1 + epsilon)² a point found may be up to (1 + epsilon) times
// farther than the nearest. Both look at the same nodes, and at many more than the search of a KdTree, whose bounds
// know of all three axes; where many points are one location, at all of them.

namespace dovetail {

namespace detail {

/// How far the query lies beyond a node's plane; to the left of it where that is not above 0.
DOVETAIL_HD inline float beyond_plane(const LeftBalancedView& tree, std::uint32_t node, const TreePoint& point,
                                      float qx, float qy, float qz) {
  const std::uint8_t axis = tree.axes[node];
  return axis == 0 ? qx - point.x : axis == 1 ? qy - point.y : qz - point.z;
}

template <class Result>
DOVETAIL_HD inline void offer_node(std::uint32_t node, const TreePoint& point, float qx, float qy, float qz,
                                   Result& result) {
  result.offer({node, point.index, squared_distance(qx - point.x, qy - point.y, qz - point.z)});
}

}  // namespace detail

/// With a stack of the far sides still to be looked at.
template <class Result>
DOVETAIL_HD void search_with_stack(const LeftBalancedView& tree, float qx, float qy, float qz, Result& result,
                                   float bound_factor = 1.0f) {
  struct Pending {
    std::uint32_t node;
    float bound;
  };
  Pending pending[32];
  int pending_count = 0;
  std::uint32_t node = 0;
  for (;;) {
    while (node < tree.count) {
      const TreePoint point = tree.points[node];
      detail::offer_node(node, point, qx, qy, qz, result);
      const float offset = detail::beyond_plane(tree, node, point, qx, qy, qz);
      const std::uint32_t near = 2 * node + (offset > 0 ? 2u : 1u), far = 4 * node + 3 - near;
      const float bound = rounded_square(offset) * bound_factor;
      if (far < tree.count && bound <= result.worst()) pending[pending_count++] = {far, bound};
      node = near;
    }
    do {
      if (pending_count == 0) return;
      node = pending[--pending_count].node;
    } while (!(pending[pending_count].bound <= result.worst()));
  }
}

/// Without one: on the way back up a node's number tells which child it is, and the query on which side it began. A
/// child that is not there has a number too.
template <class Result>
DOVETAIL_HD void search_stackless(const LeftBalancedView& tree, float qx, float qy, float qz, Result& result,
                                  float bound_factor = 1.0f) {
  if (tree.count == 0) return;
  std::uint32_t node = 0;
  for (;;) {
    while (node < tree.count) {
      const TreePoint point = tree.points[node];
      detail::offer_node(node, point, qx, qy, qz, result);
      node = 2 * node + (detail::beyond_plane(tree, node, point, qx, qy, qz) > 0 ? 2u : 1u);
    }
    for (;;) {
      if (node == 0) return;
      const bool was_right = (node & 1u) == 0;
      const std::uint32_t parent = (node - 1) / 2, sibling = was_right ? node - 1 : node + 1;
      node = parent;
      if (sibling >= tree.count) continue;
      const float offset = detail::beyond_plane(tree, parent, tree.points[parent], qx, qy, qz);
      if ((offset > 0) != was_right) continue;  // the far side was looked at already
      if (!(rounded_square(offset) * bound_factor <= result.worst())) continue;
      node = sibling;
      break;
    }
  }
}

/// Once down the tree, and never back up: the nearest of the points on the way.
template <class Result>
DOVETAIL_HD void search_down(const LeftBalancedView& tree, float qx, float qy, float qz, Result& result) {
  std::uint32_t node = 0;
  while (node < tree.count) {
    const TreePoint point = tree.points[node];
    detail::offer_node(node, point, qx, qy, qz, result);
    node = 2 * node + (detail::beyond_plane(tree, node, point, qx, qy, qz) > 0 ? 2u : 1u);
  }
}

/// The nearest point within a distance; `found()` is false when there is none. Its slot is the node.
DOVETAIL_HD inline Neighbour nearest_with_stack(const LeftBalancedView& tree, float qx, float qy, float qz,
                                                float max_squared_distance, float bound_factor = 1.0f) {
  Nearest result(max_squared_distance);
  search_with_stack(tree, qx, qy, qz, result, bound_factor);
  return result.best();
}
DOVETAIL_HD inline Neighbour nearest_stackless(const LeftBalancedView& tree, float qx, float qy, float qz,
                                               float max_squared_distance, float bound_factor = 1.0f) {
  Nearest result(max_squared_distance);
  search_stackless(tree, qx, qy, qz, result, bound_factor);
  return result.best();
}
DOVETAIL_HD inline Neighbour nearest_on_way_down(const LeftBalancedView& tree, float qx, float qy, float qz,
                                                 float max_squared_distance) {
  Nearest result(max_squared_distance);
  search_down(tree, qx, qy, qz, result);
  return result.best();
}

}  // namespace dovetail
