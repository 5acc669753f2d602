// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/cuda/device_buffer.h"
#include "spatial/kd_tree.h"

namespace dovetail {

/// A copy of a tree in the memory of the current device.
class DeviceKdTree {
 public:
  DeviceKdTree(const KdTree& tree, cudaStream_t stream)
      : points_(tree.points(), stream), nodes_(tree.nodes(), stream), depth_(tree.view().depth) {}

  /// For kernels on the stream the tree was made with.
  KdTreeView view() const {
    return {points_.data(), nodes_.data(), static_cast<std::uint32_t>(points_.size()), depth_};
  }

 private:
  DeviceBuffer<TreePoint> points_;
  DeviceBuffer<KdNode> nodes_;
  int depth_;
};

}  // namespace dovetail
