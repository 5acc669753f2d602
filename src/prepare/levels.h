// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <span>
#include <vector>

#include "prepare/clouds.h"

namespace dovetail {

/// One resolution of a cloud that is brought onto another, on the host and in a machine's memory.
struct SourceLevel {
  std::shared_ptr<const LocalCloud> cloud;  ///< in the order of passes
  std::shared_ptr<const KdTree> tree;       ///< where clusters or normals need one; else null
  ClusterTree clusters;

  CloudView points;  ///< where passes read, as the next
  ClusterTreeView clusters_view;
  SurfaceView surface;  ///< at full resolution only
  Keeper keeper;
};

/// One resolution of a cloud that others are brought onto. Any number of sources may share one.
struct TargetLevel {
  std::shared_ptr<const KdTree> tree;
  ClusterTree clusters;

  KdTreeView tree_view;  ///< where passes read, as the next
  NormalsView normals;   ///< by tree slot
  ClusterTreeView clusters_view;
  SurfaceView surface;  ///< at full resolution only
  Keeper keeper;
};

/// A resolution of both.
struct Level {
  std::shared_ptr<const SourceLevel> source;
  std::shared_ptr<const TargetLevel> target;

  SurfacePair surfaces() const { return {source->points, target->tree_view, target->normals}; }
  soft::Data soft_data() const { return {source->points, target->clusters_view, source->clusters_view}; }
};

/// What the levels of a problem need besides points and trees.
struct LevelNeeds {
  bool source_normals = false, target_normals = false;
  int neighbours = 16;  ///< from which normals are estimated, where the files have none
  /// Cluster trees: none; of the target, with moments, for sums over it; of both, without, for weighted sums over
  /// either. With any, the source is in the order of its tree.
  enum class Clusters { none, target, both } clusters = Clusters::none;
};

/// A prepared cloud at a voxel size (local; 0: full resolution), in the machine's memory.
std::shared_ptr<const SourceLevel> make_source_level(const std::shared_ptr<const PreparedCloud>& cloud, double voxel,
                                                     int dimension, const LevelNeeds& needs, Backend& backend);
std::shared_ptr<const TargetLevel> make_target_level(const std::shared_ptr<const PreparedCloud>& cloud, double voxel,
                                                     int dimension, const LevelNeeds& needs, Backend& backend);

/// Both clouds at each of the given voxel sizes, coarse to fine.
std::vector<Level> make_levels(const Prepared& prepared, std::span<const double> voxels, const LevelNeeds& needs,
                               Backend& backend);

/// What passes of a method read at each of some levels.
std::vector<SurfacePair> surfaces_of(std::span<const Level> levels);
std::vector<soft::Data> soft_data_of(std::span<const Level> levels);

/// The normals of a tree's points by slot or, where `by_order`, in the order of the arrays it was built from: written
/// where the machine's passes read them. With `around`, also how the neighbours of each point lie, by slot.
NormalsView estimate_normals(const KdTree& tree, const KdTreeView& placed, bool by_order,
                             const NormalSettings& settings, Backend& backend, Keeper& keeper,
                             Surroundings* around = nullptr);

}  // namespace dovetail
