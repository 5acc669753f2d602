// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/host_device.h"
#include "dovetail/matrix.h"

namespace dovetail {

/// A point in the order of the tree, with the caller's index: it breaks ties, the lower one is nearer.
struct alignas(16) TreePoint {
  float x, y, z;
  std::uint32_t index;
};

/// An inner node: points with a coordinate up to `split` are on the left, from `split` on the right (so a point that
/// lies on the split may be on either side).
struct KdNode {
  static constexpr std::uint32_t uniform = 3;  ///< instead of an axis: all points below are one location

  float split;
  std::uint32_t axis;
};

/// Slots [begin, end) of the point array.
struct SlotRange {
  std::uint32_t begin, end;
};

/// The tree is the point array. Node j of depth d covers the slots [floor(j N / 2^d), floor((j + 1) N / 2^d)), so a
/// node stores where it splits and nothing else. Nodes lie in heap order: the root is 1, the children of h are 2h and
/// 2h + 1, and the nodes from 2^depth on are the buckets, which have no entry in `nodes`.
/// Trivially copyable: what a view points to may as well be memory of a GPU.
struct KdTreeView {
  const TreePoint* points = nullptr;
  const KdNode* nodes = nullptr;
  std::uint32_t count = 0;
  int depth = 0;

  DOVETAIL_HD std::uint32_t first_bucket() const { return std::uint32_t{1} << depth; }

  /// The slots of heap node `node`, which is at `node_depth`.
  DOVETAIL_HD SlotRange slots(std::uint32_t node, int node_depth) const {
    const std::uint64_t position = node - (std::uint32_t{1} << node_depth);
    return {static_cast<std::uint32_t>((position * count) >> node_depth),
            static_cast<std::uint32_t>(((position + 1) * count) >> node_depth)};
  }
};

/// A balanced k-d tree over points in float (host memory). The same points give the same tree on any number of threads.
class KdTree {
 public:
  static constexpr std::uint32_t bucket_size = 8;
  static constexpr int max_depth = 32;

  KdTree() = default;

  /// Builds over the points (x[i], y[i], z[i]), all finite. `index` says what each is called and how ties are broken;
  /// its values differ from each other and from UINT32_MAX. Without it a point is called by its position.
  KdTree(std::span<const float> x, std::span<const float> y, std::span<const float> z,
         std::span<const std::uint32_t> index = {});
  explicit KdTree(std::span<const Vec3f> points, std::span<const std::uint32_t> index = {});

  KdTreeView view() const { return {points_.data(), nodes_.data(), size(), depth_}; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(points_.size()); }
  bool empty() const { return points_.empty(); }

  std::span<const TreePoint> points() const { return points_; }
  std::span<const KdNode> nodes() const { return nodes_; }

  /// For each slot, the position its point had in the arrays the tree was built from: gather other arrays with it to
  /// have them in the order of the tree.
  std::span<const std::uint32_t> order() const { return order_; }

 private:
  void build(std::span<const std::uint32_t> index);

  std::vector<TreePoint> points_;
  std::vector<KdNode> nodes_;
  std::vector<std::uint32_t> order_;
  int depth_ = 0;
};

}  // namespace dovetail
