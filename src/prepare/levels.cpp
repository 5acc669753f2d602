// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "prepare/levels.h"

#include "spatial/voxel_grid.h"

namespace dovetail {

namespace {

/// A part of a prepared cloud, kept alive by the whole.
template <class T>
std::shared_ptr<const T> part_of(const std::shared_ptr<const PreparedCloud>& cloud, const T& part) {
  return {cloud, &part};
}

template <class T>
T moved_into(Placed<T>&& placed, Keeper& keeper) {
  keeper.add(std::move(placed.keeper));
  return placed.view;
}

/// A cloud at a voxel size, and the tree over it where that is known already.
struct Sampled {
  std::shared_ptr<const LocalCloud> cloud;
  std::shared_ptr<const KdTree> tree;

  Sampled(const std::shared_ptr<const PreparedCloud>& full, double voxel) {
    if (voxel > 0) {
      cloud = std::make_shared<const LocalCloud>(voxel_downsample(full->points, voxel));
    } else {
      cloud = part_of(full, full->points);
      tree = part_of(full, full->tree);
    }
  }
  void need_tree() {
    if (tree == nullptr) tree = std::make_shared<const KdTree>(cloud->x, cloud->y, cloud->z, cloud->index);
  }
};

std::vector<float> by_slot(const std::vector<float>& values, const KdTree& tree) {
  std::vector<float> sorted(values.size());
  for (std::size_t slot = 0; slot < values.size(); ++slot) sorted[slot] = values[tree.order()[slot]];
  return sorted;
}

/// The file's own normals by slot, in a machine's memory.
NormalsView placed_by_slot(const LocalCloud& cloud, const KdTree& tree, Memory& memory, Keeper& keeper) {
  const auto place = [&](const std::vector<float>& values) -> const float* {
    const std::vector<float> sorted = by_slot(values, tree);
    return memory.copy(std::span<const float>(sorted), keeper);
  };
  return {place(cloud.nx), place(cloud.ny), place(cloud.nz)};
}

/// Normals nobody knows.
NormalsView no_normals(std::size_t count, Memory& memory, Keeper& keeper) {
  const std::vector<float> zero(count);
  const float* const placed = memory.copy(std::span<const float>(zero), keeper);
  return {placed, placed, placed};
}

}  // namespace

NormalsView estimate_normals(const KdTree& tree, const KdTreeView& placed, bool by_order,
                             const NormalSettings& settings, Backend& backend, Keeper& keeper, Surroundings* around) {
  Memory& memory = backend.memory();
  Keeper until_done;
  Batch<Normals> batch;
  const std::uint32_t* const order = by_order ? memory.put(tree.order(), until_done) : nullptr;
  float* axis[3];
  for (float*& a : axis) a = memory.room<float>(tree.size(), keeper);
  batch.params = settings;
  batch.data = {{placed, order, axis[0], axis[1], axis[2], nullptr, around}};
  batch.states = {{}};
  backend.run(batch);
  return {axis[0], axis[1], axis[2]};
}

std::shared_ptr<const SourceLevel> make_source_level(const std::shared_ptr<const PreparedCloud>& cloud, double voxel,
                                                     int dimension, const LevelNeeds& needs, Backend& backend) {
  using Clusters = LevelNeeds::Clusters;
  auto level = std::make_shared<SourceLevel>();
  Memory& memory = backend.memory();
  Sampled sampled(cloud, voxel);
  const bool unknown = !sampled.cloud->has_normals() && !cloud->tells_surface;
  const bool estimate = needs.source_normals && !unknown && !sampled.cloud->has_normals(), full = voxel == 0;
  if (estimate || needs.clusters != Clusters::none) sampled.need_tree();
  if (needs.clusters != Clusters::none) {
    sampled.cloud = std::make_shared<const LocalCloud>(gather(*sampled.cloud, sampled.tree->order()));
  }
  level->cloud = sampled.cloud;
  level->points = moved_into(put(memory, *level->cloud), level->keeper);
  if (!needs.source_normals) level->points.normal = {};
  Keeper until_done;
  KdTreeView tree;
  if (estimate || full || needs.clusters == Clusters::both) {
    Placed<KdTreeView> placed = put(memory, *sampled.tree);
    tree = placed.view;
    (full || needs.clusters == Clusters::both ? level->keeper : until_done).add(std::move(placed.keeper));
  }
  Surroundings* const around = full && estimate ? memory.room<Surroundings>(tree.count, level->keeper) : nullptr;
  if (estimate) {
    const NormalSettings settings{.neighbours = needs.neighbours, .dimension = dimension};
    level->points.normal = estimate_normals(*sampled.tree, tree, needs.clusters == Clusters::none, settings, backend,
                                            level->keeper, around);
  }
  if (needs.source_normals && unknown) level->points.normal = no_normals(level->points.count, memory, level->keeper);
  if (full) {
    level->tree = sampled.tree;
    level->surface = {tree, level->points.normal, around, level->points.weight, nullptr};
    if (needs.clusters == Clusters::none) level->surface.order = memory.put(sampled.tree->order(), level->keeper);
  }
  if (needs.clusters == Clusters::both) {
    level->tree = sampled.tree;
    level->clusters = ClusterTree(*level->tree, false);
    level->clusters_view = moved_into(put(memory, level->clusters, tree), level->keeper);
  }
  return level;
}

std::shared_ptr<const TargetLevel> make_target_level(const std::shared_ptr<const PreparedCloud>& cloud, double voxel,
                                                     int dimension, const LevelNeeds& needs, Backend& backend) {
  auto level = std::make_shared<TargetLevel>();
  Memory& memory = backend.memory();
  Sampled sampled(cloud, voxel);
  sampled.need_tree();
  level->tree = sampled.tree;
  level->tree_view = moved_into(put(memory, *level->tree), level->keeper);
  const bool unknown = !sampled.cloud->has_normals() && !cloud->tells_surface;
  const bool estimate = needs.target_normals && !unknown && !sampled.cloud->has_normals(), full = voxel == 0;
  Surroundings* const around =
      full && estimate ? memory.room<Surroundings>(level->tree->size(), level->keeper) : nullptr;
  if (estimate) {
    const NormalSettings settings{.neighbours = needs.neighbours, .dimension = dimension};
    level->normals = estimate_normals(*level->tree, level->tree_view, false, settings, backend, level->keeper, around);
  } else if (needs.target_normals && unknown) {
    level->normals = no_normals(level->tree_view.count, memory, level->keeper);
  } else if (needs.target_normals) {
    level->normals = placed_by_slot(*sampled.cloud, *level->tree, memory, level->keeper);
  }
  if (full) level->surface = {level->tree_view, level->normals, around, nullptr, nullptr};
  if (needs.clusters != LevelNeeds::Clusters::none) {
    level->clusters = ClusterTree(*level->tree, needs.clusters == LevelNeeds::Clusters::target);
    level->clusters_view = moved_into(put(memory, level->clusters, level->tree_view), level->keeper);
  }
  return level;
}

std::vector<Level> make_levels(const Prepared& prepared, std::span<const double> voxels, const LevelNeeds& needs,
                               Backend& backend) {
  std::vector<Level> levels;
  for (const double voxel : voxels) {
    levels.push_back({make_source_level(prepared.source, voxel, prepared.dimension, needs, backend),
                      make_target_level(prepared.target, voxel, prepared.dimension, needs, backend)});
  }
  return levels;
}

std::vector<SurfacePair> surfaces_of(std::span<const Level> levels) {
  std::vector<SurfacePair> data;
  for (const Level& level : levels) data.push_back(level.surfaces());
  return data;
}

std::vector<soft::Data> soft_data_of(std::span<const Level> levels) {
  std::vector<soft::Data> data;
  for (const Level& level : levels) data.push_back(level.soft_data());
  return data;
}

}  // namespace dovetail
