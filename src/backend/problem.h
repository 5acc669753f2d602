// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dovetail/host_device.h"
#include "dovetail/matrix.h"
#include "methods/method.h"
#include "spatial/cluster_tree.h"
#include "spatial/field_grid.h"
#include "spatial/kd_tree.h"
#include "spatial/line_map.h"
#include "spatial/local_cloud.h"

namespace dovetail {

/// The most resolutions a problem may have.
inline constexpr int max_levels = 12;

/// One resolution of a problem, in local coordinates, wherever its memory lies. A missing array is null.
struct LevelView {
  const float *x = nullptr, *y = nullptr, *z = nullptr;     ///< source points, in prepared order
  const float *nx = nullptr, *ny = nullptr, *nz = nullptr;  ///< their normals
  const float* weight = nullptr;
  std::uint32_t count = 0;
  KdTreeView target;
  const float *target_nx = nullptr, *target_ny = nullptr, *target_nz = nullptr;  ///< by tree slot
  ClusterTreeView source_clusters, target_clusters;  ///< where soft correspondence needs them: the source's points are
                                                     ///< then in the order of their tree's slots
  FieldView field;                                   ///< where a reference is looked up instead of searched
  LinesView lines;                                   ///< where the reference is lines, and points are expected on them

  DOVETAIL_HD std::uint32_t points(Side side) const { return side == Side::source ? count : target.count; }
};

/// What a pass reads: source and target at every level, coarse to fine.
struct ProblemView {
  LevelView level[max_levels];
  int levels = 0;
};

/// One resolution of a problem in host memory.
struct Level {
  LocalCloud source;
  KdTree target;
  std::vector<float> target_nx, target_ny, target_nz;  ///< by tree slot
  KdTree source_tree;                                  ///< empty where there are no clusters
  ClusterTree source_clusters, target_clusters;

  LevelView view() const;
};

/// Two clouds ready to be aligned: float coordinates about each cloud's own double origin, one common scale.
struct Problem {
  Vec3 source_origin{}, target_origin{};
  double scale = 1;  ///< local length = scale × file length; a power of two, so nothing is rounded by it
  int dimension = 3;
  std::vector<Level> levels;

  ProblemView view() const;
};

/// A level of one of the problems a machine holds.
struct Place {
  std::uint32_t problem = 0, level = 0;
};

}  // namespace dovetail
