// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/prepare.h"

#include <cmath>
#include <string>

#include "backend/cpu/cpu_backend.h"
#include "dovetail/error.h"
#include "prepare/levels.h"
#include "spatial/gather_points.h"
#include "spatial/local_cloud.h"
#include "spatial/mean_normal.h"
#include "spatial/parallel.h"
#include "spatial/scale.h"
#include "spatial/selection.h"
#include "spatial/voxel_grid.h"

namespace dovetail {
namespace {

/// The usable points of one cloud in a frame of their own, and the tree over them.
struct LocalTree {
  explicit LocalTree(const PointCloud& cloud) : kept(select_usable(cloud).kept) {
    const Bounds bounds = main_bounds(cloud, kept);
    frame = local_frame(bounds, local_scale(bounds.longest_side()));
    const LocalCloud local = make_local_cloud(cloud, kept, frame);
    tree = KdTree(local.x, local.y, local.z, local.index);
  }

  std::vector<std::uint32_t> kept;
  LocalFrame frame;
  KdTree tree;
};

Vec3 mean_position(const PointCloud& cloud, std::span<const std::uint32_t> members) {
  // About the first, so that large coordinates cost no digits.
  const Vec3 first = cloud.positions[members[0]];
  Vec3 sum{};
  for (const std::uint32_t i : members) sum += cloud.positions[i] - first;
  return first + sum * (1 / double(members.size()));
}

std::array<std::uint8_t, 4> mean_color(const PointCloud& cloud, std::span<const std::uint32_t> members) {
  std::array<std::uint64_t, 4> sum{};
  for (const std::uint32_t i : members) {
    for (std::size_t channel = 0; channel < 4; ++channel) sum[channel] += cloud.colors[i][channel];
  }
  std::array<std::uint8_t, 4> mean;
  for (std::size_t channel = 0; channel < 4; ++channel) {
    mean[channel] = static_cast<std::uint8_t>((sum[channel] + members.size() / 2) / members.size());
  }
  return mean;
}

Vec3f mean_normal(const PointCloud& cloud, std::span<const std::uint32_t> members) {
  MeanNormal normal;
  for (const std::uint32_t i : members) normal.add(cloud.normals[i]);
  return normal.unit_or_zero();
}

}  // namespace

CloudScale measure_scale(const PointCloud& cloud) {
  const LocalTree local(cloud);
  const CloudScale scale = measure_scale(local.tree);
  return {scale.extent / local.frame.scale, scale.spacing / local.frame.scale};
}

PointCloud drop_invalid(const PointCloud& cloud, DroppedPoints* dropped, OriginPoints at_origin) {
  check_arrays(cloud);
  const Selection selection = select_usable(cloud, at_origin);
  if (dropped != nullptr) *dropped = {selection.dropped_non_finite, selection.dropped_at_origin};
  return selection.kept.size() == cloud.size() ? cloud : gather_points(cloud, selection.kept);
}

PointCloud downsample(const PointCloud& cloud, double voxel) {
  const PointCloud valid = drop_invalid(cloud);
  const VoxelGroups groups = group_by_voxel(valid.positions, voxel);
  std::vector<std::uint32_t> lowest(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) lowest[g] = groups.group(g)[0];
  PointCloud result = gather_points(valid, lowest);
  result.faces = {};
  parallel_for(groups.size(), 1024, [&](std::size_t g) {
    const auto members = groups.group(g);
    result.positions[g] = mean_position(valid, members);
    if (!result.colors.empty()) result.colors[g] = mean_color(valid, members);
    if (!result.normals.empty()) result.normals[g] = mean_normal(valid, members);
  });
  return result;
}

void estimate_normals(PointCloud& cloud, const NormalOptions& options) {
  if (options.neighbours < 3 || options.neighbours > max_normal_neighbours) {
    throw InvalidArgument("neighbours is " + std::to_string(options.neighbours) + ", but must be from 3 to " +
                          std::to_string(max_normal_neighbours));
  }
  const LocalTree local(cloud);
  NormalSettings settings{.neighbours = options.neighbours, .dimension = cloud.dimension};
  if (options.viewpoint) {
    settings.has_viewpoint = true;
    settings.viewpoint = local.frame.to_local(*options.viewpoint).cast<float>();
  }
  const std::size_t size = local.kept.size();
  CpuBackend cpu(0);
  Keeper keeper;
  const NormalsView n = estimate_normals(local.tree, local.tree.view(), true, settings, cpu, keeper);
  cloud.normals.assign(cloud.size(), Vec3f{});
  for (std::size_t i = 0; i < size; ++i) cloud.normals[local.kept[i]] = {n.x[i], n.y[i], n.z[i]};
}

}  // namespace dovetail
