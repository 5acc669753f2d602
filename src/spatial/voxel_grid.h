// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spatial/local_cloud.h"

namespace dovetail {

/// Points grouped by the voxel they are in. Groups lie along the Morton curve, the points of a group in ascending order
/// of their indices; so neither depends on threads or on the order the points came in.
struct VoxelGroups {
  std::vector<std::uint32_t> position;  ///< of points in the arrays at hand, group after group
  std::vector<std::uint32_t> start;     ///< group g is position[start[g]] .. position[start[g + 1] - 1]

  std::size_t size() const { return start.size() - 1; }
  std::span<const std::uint32_t> group(std::size_t g) const {
    return std::span(position).subspan(start[g], start[g + 1] - start[g]);
  }
};

/// Voxels of the given side on the grid that has a corner at zero. A voxel finer than 2^-41 of the longest side of the
/// points' box is taken as that fine. `index` orders the points in a group (their positions do without it).
VoxelGroups group_by_voxel(std::span<const Vec3> points, double voxel, std::span<const std::uint32_t> index = {});
VoxelGroups group_by_voxel(const LocalCloud& cloud, double voxel);

/// One point a voxel: the weighted mean of the positions (the plain mean where the weights sum to zero), the mean of
/// the normals (turned to the side of the first known one, then made unit length; zero when none is known or they
/// cancel), the mean of the weights, the smallest index. In Morton order; sums are in double and in the order of the
/// indices.
LocalCloud voxel_downsample(const LocalCloud& cloud, double voxel);

}  // namespace dovetail
