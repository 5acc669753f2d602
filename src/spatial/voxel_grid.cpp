// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/voxel_grid.h"

#include <cmath>
#include <string>

#include "dovetail/error.h"
#include "spatial/mean_normal.h"
#include "spatial/morton.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

double farthest_coordinate(const Bounds& bounds) {
  double farthest = 0;
  if (bounds.empty()) return farthest;
  for (int axis = 0; axis < 3; ++axis) {
    farthest = std::max({farthest, std::abs(bounds.low[axis]), std::abs(bounds.high[axis])});
  }
  return farthest;
}

// `point(i)` is the i-th point in double.
template <class Point>
VoxelGroups group(std::size_t count, const Point& point, double voxel, std::span<const std::uint32_t> index) {
  if (!(voxel > 0) || !std::isfinite(voxel)) {
    throw InvalidArgument("voxel is " + std::to_string(voxel) + ", but must be a positive length");
  }
  Bounds bounds;
  for (std::size_t i = 0; i < count; ++i) bounds.add(point(i));
  constexpr double most_cells = 1LL << (MortonCode::bits - 1);
  constexpr double most_cells_from_zero = 1LL << 50;  // so that a cell number is exact in double
  const double side =
      std::max({voxel, bounds.longest_side() / most_cells, farthest_coordinate(bounds) / most_cells_from_zero});
  Vec3 first_cell{};
  for (int axis = 0; axis < 3; ++axis) first_cell[axis] = std::floor(bounds.low[axis] / side);

  std::vector<CodedPoint> coded(count);
  parallel_for(count, 1 << 14, [&](std::size_t i) {
    const Vec3 p = point(i);
    std::uint64_t cell[3];
    for (int axis = 0; axis < 3; ++axis) {
      cell[axis] = static_cast<std::uint64_t>(std::floor(p[axis] / side) - first_cell[axis]);
    }
    const auto position = static_cast<std::uint32_t>(i);
    coded[i] = {morton_code(cell[0], cell[1], cell[2]), index.empty() ? position : index[i], position};
  });
  sort_along_curve(coded);

  VoxelGroups groups;
  groups.position.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0 || coded[i].code != coded[i - 1].code) groups.start.push_back(static_cast<std::uint32_t>(i));
    groups.position[i] = coded[i].position;
  }
  groups.start.push_back(static_cast<std::uint32_t>(count));
  return groups;
}

Vec3 position_of(const LocalCloud& cloud, std::size_t i) { return {cloud.x[i], cloud.y[i], cloud.z[i]}; }

struct VoxelMean {
  Vec3f position;
  float weight;
};

VoxelMean mean_of(const LocalCloud& cloud, std::span<const std::uint32_t> members) {
  Vec3 sum{}, weighted_sum{};
  double weight = 0;
  for (const std::uint32_t i : members) {
    const Vec3 p = position_of(cloud, i);
    const double w = cloud.weight.empty() ? 1.0 : double(cloud.weight[i]);
    sum += p;
    weighted_sum += w * p;
    weight += w;
  }
  const double count = double(members.size());
  const Vec3 mean = weight > 0 ? weighted_sum * (1 / weight) : sum * (1 / count);
  return {mean.cast<float>(), static_cast<float>(weight / count)};
}

}  // namespace

VoxelGroups group_by_voxel(std::span<const Vec3> points, double voxel, std::span<const std::uint32_t> index) {
  return group(
      points.size(), [points](std::size_t i) { return points[i]; }, voxel, index);
}

VoxelGroups group_by_voxel(const LocalCloud& cloud, double voxel) {
  return group(
      cloud.size(), [&](std::size_t i) { return position_of(cloud, i); }, voxel, cloud.index);
}

LocalCloud voxel_downsample(const LocalCloud& cloud, double voxel) {
  const VoxelGroups groups = group_by_voxel(cloud, voxel);
  const std::size_t size = groups.size();
  LocalCloud result;
  result.x.resize(size), result.y.resize(size), result.z.resize(size), result.index.resize(size);
  if (cloud.has_normals()) result.nx.resize(size), result.ny.resize(size), result.nz.resize(size);
  if (!cloud.weight.empty()) result.weight.resize(size);
  parallel_for(size, 1024, [&](std::size_t g) {
    const auto members = groups.group(g);
    const VoxelMean mean = mean_of(cloud, members);
    result.x[g] = mean.position[0], result.y[g] = mean.position[1], result.z[g] = mean.position[2];
    result.index[g] = cloud.index.empty() ? members[0] : cloud.index[members[0]];
    if (!cloud.weight.empty()) result.weight[g] = mean.weight;
    if (!cloud.has_normals()) return;
    MeanNormal normal;
    for (const std::uint32_t i : members) normal.add({cloud.nx[i], cloud.ny[i], cloud.nz[i]});
    const Vec3f n = normal.unit_or_zero();
    result.nx[g] = n[0], result.ny[g] = n[1], result.nz[g] = n[2];
  });
  return result;
}

}  // namespace dovetail
