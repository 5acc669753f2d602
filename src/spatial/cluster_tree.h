// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/host_device.h"
#include "spatial/kd_tree.h"

namespace dovetail {

/// A ball around the points of a node.
struct alignas(16) Cluster {
  float x, y, z, radius;
};

/// Moments of a cluster up to this total degree are kept: what its Gaussian sum looks like from afar.
inline constexpr int expansion_degree = 8;

/// Where the moment of x^a y^b z^c lies: a outermost, c innermost, a + b + c up to the degree.
DOVETAIL_HD constexpr int moment_index(int a, int b, int c) {
  // In closed form: compilers meet it in every term of an unrolled expansion.
  const int left = expansion_degree - a;  // of the degree, for b and c
  const int all = (expansion_degree + 1) * (expansion_degree + 2) * (expansion_degree + 3) / 6;
  return all - (left + 1) * (left + 2) * (left + 3) / 6 + b * (left + 1) - b * (b - 1) / 2 + c;
}
/// 165 moments, rounded up so that each cluster's begin on a 16-byte boundary.
inline constexpr int moment_count = 165;
inline constexpr int moment_stride = 168;
static_assert(moment_index(expansion_degree, 0, 0) + 1 == moment_count);
/// Behind its moments lies a cluster's log2_spread() (cluster_bounds.h).
inline constexpr int spread_index = moment_count;
static_assert(spread_index < moment_stride);

/// A k-d tree whose nodes down to `depth` have a ball and moments, in heap order as the tree's nodes: the root is 1,
/// the leaves are the nodes of depth `depth`, and node h covers tree.slots(h, its depth). The moment (a, b, c) of a
/// cluster is the sum over its points of ((p − centre) / radius)^(a, b, c) / (a! b! c!).
struct ClusterTreeView {
  KdTreeView tree;
  const Cluster* clusters = nullptr;
  const float* moments = nullptr;  ///< moment_stride floats a node; null where there are none
  int depth = 0;

  DOVETAIL_HD std::uint32_t first_leaf() const { return std::uint32_t{1} << depth; }
};

/// Balls and moments of the nodes of a k-d tree (host memory).
class ClusterTree {
 public:
  /// Points a leaf holds at most.
  static constexpr std::uint32_t leaf_size = 32;

  ClusterTree() = default;
  /// Moments are only worth their memory where all points weigh the same.
  explicit ClusterTree(const KdTree& tree, bool with_moments = true);

  std::span<const Cluster> clusters() const { return clusters_; }
  std::span<const float> moments() const { return moments_; }
  int depth() const { return depth_; }

  /// `tree` is the one it was built from.
  ClusterTreeView view(const KdTreeView& tree) const {
    return {tree, clusters_.data(), moments_.empty() ? nullptr : moments_.data(), depth_};
  }

 private:
  std::vector<Cluster> clusters_;
  std::vector<float> moments_;
  int depth_ = 0;
};

}  // namespace dovetail
