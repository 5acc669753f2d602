// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/host_device.h"
#include "spatial/kd_tree.h"

namespace dovetail {

/// A point a node, in heap order: the children of node i are 2i + 1 and 2i + 2, and nodes exist up to `count`. Points
/// below on the left have a coordinate up to that of the node along its axis, those on the right from it on. Trivially
/// copyable: what a view points to may as well be memory of a GPU.
struct LeftBalancedView {
  const TreePoint* points = nullptr;
  const std::uint8_t* axes = nullptr;
  std::uint32_t count = 0;
};

/// The tree of the GPICP thesis: every level is full but the last, which is filled from the left, so that a node knows
/// its parent and no search needs a stack (host memory). KdTree is the faster one; this is here to be compared with it.
/// The same points give the same tree on any number of threads.
class LeftBalancedTree {
 public:
  LeftBalancedTree() = default;

  /// Builds over the points (x[i], y[i], z[i]), all finite. `index` says what each is called and how ties are broken;
  /// its values differ from each other and from UINT32_MAX. Without it a point is called by its position.
  LeftBalancedTree(std::span<const float> x, std::span<const float> y, std::span<const float> z,
                   std::span<const std::uint32_t> index = {});
  explicit LeftBalancedTree(std::span<const Vec3f> points, std::span<const std::uint32_t> index = {});
  /// The points of another tree, each called by its slot there.
  explicit LeftBalancedTree(const KdTree& tree);

  LeftBalancedView view() const { return {points_.data(), axes_.data(), size()}; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(points_.size()); }
  bool empty() const { return points_.empty(); }

  std::span<const TreePoint> points() const { return points_; }
  std::span<const std::uint8_t> axes() const { return axes_; }

 private:
  /// `points` are called by their index already.
  void build(std::vector<TreePoint> points);

  std::vector<TreePoint> points_;
  std::vector<std::uint8_t> axes_;
};

}  // namespace dovetail
