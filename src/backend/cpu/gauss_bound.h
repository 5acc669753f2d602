// SPDX-License-Identifier: MIT
// Part of Dovetail.

// No include guard of its own: Highway includes it once for each instruction set it compiles for.
#if defined(DOVETAIL_CPU_GAUSS_BOUND_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DOVETAIL_CPU_GAUSS_BOUND_H
#undef DOVETAIL_CPU_GAUSS_BOUND_H
#else
#define DOVETAIL_CPU_GAUSS_BOUND_H
#endif

#include <algorithm>
#include <bit>
#include <cmath>

#include "backend/cpu/gauss_tile.h"
#include "spatial/cluster_bounds.h"

// Where a tile of rows is, and what its sums come to at least, row by row: a bound that knows the tile by its ball only
// would open about a fifth more of the tree.

HWY_BEFORE_NAMESPACE();
namespace dovetail::HWY_NAMESPACE {

/// A ball around the rows, rounded outwards.
inline Cluster ball_around(const Tile& tile) {
  Cluster ball{};
  float* centre[3] = {&ball.x, &ball.y, &ball.z};
  float square[tile_rows] = {};
  for (int axis = 0; axis < 3; ++axis) {
    const auto [low, high] = std::minmax_element(tile.row[axis], tile.row[axis] + tile_rows);
    *centre[axis] = 0.5f * *low + 0.5f * *high;
    for (std::uint32_t i = 0; i < tile_rows; ++i) {
      square[i] += (tile.row[axis][i] - *centre[axis]) * (tile.row[axis][i] - *centre[axis]);
    }
  }
  ball.radius = 1.000001f * std::sqrt(*std::max_element(square, square + tile_rows));
  return ball;
}

/// Adds a lower bound of a cluster's sum to each row's. With moments it is Jensen's: no less than all its weight at the
/// mean squared distance. Without them all points are at their farthest, or left out where their weights are unknown.
template <bool weighted>
HWY_INLINE void add_least(const Tile& tile, const ClusterTreeView& tree, std::uint32_t node, float k, float* sums) {
  const RowTag d;
  const Cluster& c = tree.clusters[node];
  const SlotRange slots = tree.tree.slots(node, static_cast<int>(std::bit_width(node)) - 1);
  float centre[3] = {c.x, c.y, c.z}, weight = static_cast<float>(slots.end - slots.begin), variance = 0,
        reach = c.radius;
  if (tree.moments != nullptr) {
    const float* m = tree.moments + std::size_t{node} * moment_stride;
    weight = m[0], reach = 0;
    if (!(weight > 0)) return;
    const float first[3] = {m[moment_index(1, 0, 0)], m[moment_index(0, 1, 0)], m[moment_index(0, 0, 1)]};
    const float second[3] = {m[moment_index(2, 0, 0)], m[moment_index(0, 2, 0)], m[moment_index(0, 0, 2)]};
    for (int axis = 0; axis < 3; ++axis) {
      const float mean = first[axis] / weight;
      centre[axis] += c.radius * mean;
      variance += std::max(0.0f, 2 * second[axis] / weight - mean * mean) * c.radius * c.radius;
    }
  } else if (weighted) {
    return;
  }
  for (std::size_t first = 0; first < tile_rows; first += width * row_lanes) {
    Rows x;
    for (std::size_t v = 0; v < width; ++v) {
      RowVector square = hn::Set(d, 0.0f);
      for (int axis = 0; axis < 3; ++axis) {
        const RowVector u = hn::Sub(hn::Load(d, tile.row[axis] + first + v * row_lanes), hn::Set(d, centre[axis]));
        square = hn::MulAdd(u, u, square);
      }
      const RowVector far = hn::Add(hn::Sqrt(square), hn::Set(d, reach));
      x.part[v] = hn::Mul(hn::MulAdd(far, far, hn::Set(d, variance)), hn::Set(d, -k));
    }
    x = exp2_of(x);
    for (std::size_t v = 0; v < width; ++v) {
      float* to = sums + first + v * row_lanes;
      hn::Store(hn::MulAdd(x.part[v], hn::Set(d, weight), hn::Load(d, to)), d, to);
    }
  }
}

/// A lower bound of the sums of all rows: the nearest leaf as it is, and a lower bound of every cluster beside the way
/// there, row by row.
template <bool weighted>
float least_of_rows(Tile& tile, const Cluster& ball, const GaussPoints& points, float k) {
  const ClusterTreeView& tree = points.clusters;
  HWY_ALIGN float sums[tile_rows] = {};
  std::uint32_t node = 1;
  for (int depth = 0; depth < tree.depth; ++depth) {
    const Cluster &left = tree.clusters[2 * node], &right = tree.clusters[2 * node + 1];
    const bool go_right = distance_between(ball, right) - right.radius < distance_between(ball, left) - left.radius;
    add_least<weighted>(tile, tree, 2 * node + (go_right ? 0u : 1u), k, sums);
    node = 2 * node + (go_right ? 1u : 0u);
  }
  add_slots<weighted, false>(tile, points, tree.tree.slots(node, tree.depth), k);
  for (std::uint32_t i = 0; i < tile_rows; ++i) sums[i] += tile.run[sum_weight][i];
  tile.clear();
  return *std::min_element(sums, sums + tile_rows);
}

}  // namespace dovetail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
