// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <deque>

#include "backend/cuda/device_buffer.h"
#include "backend/cuda/device_kd_tree.h"
#include "backend/problem.h"

namespace dovetail::cuda {

/// A problem's arrays in the memory of the current device.
class DeviceProblem {
 public:
  DeviceProblem(const Problem& problem, cudaStream_t stream) : stream_(stream) {
    view_.levels = static_cast<int>(problem.levels.size());
    for (std::size_t i = 0; i < problem.levels.size(); ++i) view_.level[i] = place(problem.levels[i]);
  }

  /// Points to device memory; itself host memory.
  const ProblemView& view() const { return view_; }

 private:
  LevelView place(const Level& level) {
    LevelView v;
    v.count = static_cast<std::uint32_t>(level.source.size());
    v.x = place(level.source.x);
    v.y = place(level.source.y);
    v.z = place(level.source.z);
    v.nx = place(level.source.nx);
    v.ny = place(level.source.ny);
    v.nz = place(level.source.nz);
    v.weight = place(level.source.weight);
    v.target = trees_.emplace_back(level.target, stream_).view();
    v.target_nx = place(level.target_nx);
    v.target_ny = place(level.target_ny);
    v.target_nz = place(level.target_nz);
    if (level.target_clusters.clusters().empty()) return v;
    v.target_clusters = place(level.target_clusters, v.target);
    if (level.source_clusters.clusters().empty()) return v;
    v.source_clusters = place(level.source_clusters, trees_.emplace_back(level.source_tree, stream_).view());
    return v;
  }
  const float* place(const std::vector<float>& values) {
    if (values.empty()) return nullptr;
    return arrays_.emplace_back(std::span<const float>(values), stream_).data();
  }

  ClusterTreeView place(const ClusterTree& clusters, const KdTreeView& tree) {
    const Cluster* balls = clusters_.emplace_back(clusters.clusters(), stream_).data();
    const auto moments = clusters.moments();
    return {tree, balls, moments.empty() ? nullptr : arrays_.emplace_back(moments, stream_).data(), clusters.depth()};
  }

  cudaStream_t stream_;
  std::deque<DeviceBuffer<Cluster>> clusters_;
  std::deque<DeviceBuffer<float>> arrays_;
  std::deque<DeviceKdTree> trees_;
  ProblemView view_;
};

}  // namespace dovetail::cuda
