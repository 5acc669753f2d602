// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <map>
#include <memory>
#include <optional>

#include "dovetail/find.h"
#include "judge/sighting.h"
#include "prepare/levels.h"
#include "search/planes.h"

namespace dovetail {

/// A scene that objects are looked for in, prepared once for all of them.
class FindScene {
 public:
  /// `scale` is that of the local coordinates. Throws InvalidArgument where nothing is left of the scene.
  FindScene(const PointCloud& scene, const Find& options, const Run& run, double scale, Backend& backend);

  FindScene(const FindScene&) = delete;
  FindScene& operator=(const FindScene&) = delete;

  const std::shared_ptr<const PreparedCloud>& cloud() const { return cloud_; }
  /// The scene at a voxel size, made when it is first asked for.
  const std::shared_ptr<const TargetLevel>& level(double voxel, Backend& backend);

  /// What nothing is behind, where the viewpoint tells which side that is.
  void set_backdrops(const LargePlanes& planes);

  SeenScene& seen() { return seen_; }
  bool has_viewpoint() const { return map_.has_value(); }

  /// Whether each point of a level, by slot, is explained by something already.
  std::vector<char> explained(const TargetLevel& level) const;

 private:
  int normal_neighbours_;
  std::shared_ptr<const PreparedCloud> cloud_;
  std::map<double, std::shared_ptr<const TargetLevel>> levels_;
  std::optional<RangeMap> map_;
  SeenScene seen_;
};

}  // namespace dovetail
