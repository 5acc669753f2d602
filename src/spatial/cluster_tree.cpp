// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/cluster_tree.h"

#include <algorithm>
#include <cmath>

#include "spatial/bounds.h"
#include "spatial/cluster_bounds.h"
#include "spatial/parallel.h"

namespace dovetail {

namespace {

/// The smallest ball about the middle of the points' box, rounded outwards.
Cluster ball_around(std::span<const TreePoint> points) {
  Bounds bounds;
  for (const TreePoint& p : points) bounds.add({double{p.x}, double{p.y}, double{p.z}});
  const Vec3 middle = bounds.center();
  Cluster c{static_cast<float>(middle[0]), static_cast<float>(middle[1]), static_cast<float>(middle[2]), 0};
  double square = 0;
  for (const TreePoint& p : points) {
    square = std::max(square, squared_norm(Vec3{double{p.x} - c.x, double{p.y} - c.y, double{p.z} - c.z}));
  }
  // Points of one location have a ball too: moments and expansions divide by its radius.
  c.radius = std::max(std::nextafter(static_cast<float>(std::sqrt(square)), 2.0f), 1e-18f);
  return c;
}

void add_moments(std::span<const TreePoint> points, const Cluster& c, float* out) {
  double sums[moment_count] = {};
  const double inverse = 1.0 / c.radius;
  for (const TreePoint& p : points) {
    const double d[3] = {(double{p.x} - c.x) * inverse, (double{p.y} - c.y) * inverse, (double{p.z} - c.z) * inverse};
    double power[3][expansion_degree + 1];
    for (int axis = 0; axis < 3; ++axis) {
      power[axis][0] = 1;
      for (int n = 1; n <= expansion_degree; ++n) power[axis][n] = power[axis][n - 1] * d[axis] / n;
    }
    int index = 0;
    for (int i = 0; i <= expansion_degree; ++i) {
      for (int j = 0; j <= expansion_degree - i; ++j) {
        const double ij = power[0][i] * power[1][j];
        for (int k = 0; k <= expansion_degree - i - j; ++k) sums[index++] += ij * power[2][k];
      }
    }
  }
  for (int i = 0; i < moment_count; ++i) out[i] = static_cast<float>(sums[i]);
  out[spread_index] = log2_spread(out);
}

}  // namespace

ClusterTree::ClusterTree(const KdTree& tree, bool with_moments) {
  if (tree.empty()) return;
  while ((tree.size() + (1u << depth_) - 1) >> depth_ > leaf_size) ++depth_;
  const std::size_t nodes = std::size_t{2} << depth_;
  clusters_.resize(nodes);
  if (with_moments) moments_.resize(nodes * moment_stride);
  const KdTreeView view = tree.view();
  for (int d = 0; d <= depth_; ++d) {
    const std::uint32_t first = 1u << d;
    parallel_for(first, 16, [&](std::size_t i) {
      const auto node = static_cast<std::uint32_t>(first + i);
      const SlotRange slots = view.slots(node, d);
      const auto points = tree.points().subspan(slots.begin, slots.end - slots.begin);
      clusters_[node] = ball_around(points);
      if (with_moments) add_moments(points, clusters_[node], moments_.data() + std::size_t{node} * moment_stride);
    });
  }
}

}  // namespace dovetail
