// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "register/find_scene.h"

#include "dovetail/error.h"
#include "judge/surface_fit.h"
#include "spatial/kd_search.h"

namespace dovetail {

namespace {

/// The points of a region; all where there is none.
PointCloud within(const PointCloud& scene, const std::optional<Box>& region) {
  PointCloud some;
  for (std::size_t i = 0; i < scene.size(); ++i) {
    const Vec3& p = scene.positions[i];
    bool inside = true;
    for (int a = 0; a < 3 && region; ++a) inside = inside && p[a] >= region->low[a] && p[a] <= region->high[a];
    if (!inside) continue;
    some.positions.push_back(p);
    if (!scene.normals.empty()) some.normals.push_back(scene.normals[i]);
  }
  return some;
}

bool has_rows(const PointCloud& scene) { return scene.organised() && scene.width > 1 && scene.height > 1; }

}  // namespace

FindScene::FindScene(const PointCloud& scene, const Find& options, const Run& run, double scale, Backend& backend)
    : normal_neighbours_(options.normal_neighbours) {
  const PointCloud region = within(scene, options.region);
  if (region.empty()) throw InvalidArgument("region: no point of the scene lies in it");
  backend.on_host([&] { cloud_ = std::make_shared<PreparedCloud>(prepare_cloud(region, scale, run.origin_points)); });
  if (cloud_->usable < 3) throw InvalidArgument("scene: fewer than 3 of its points can be used");
  const TargetLevel& full = *level(0, backend);
  const std::uint32_t count = full.tree_view.count;
  seen_.tree = full.tree->view();
  seen_.owner.assign(count, -1);
  seen_.normals.assign(count, {});
  if (full.normals.x != nullptr) {
    const auto x = backend.memory().get(full.normals.x, count), y = backend.memory().get(full.normals.y, count),
               z = backend.memory().get(full.normals.z, count);
    for (std::uint32_t i = 0; i < count; ++i) seen_.normals[i] = {double{x[i]}, double{y[i]}, double{z[i]}};
  }
  seen_.noise = noise_of(seen_, cloud_->scale.spacing);
  if (options.viewpoint || options.may_be_from_origin) {
    std::vector<Vec3> points;
    for (const Vec3& p : scene.positions) {
      const bool finite = std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
      if (finite && squared_norm(p) > 0) points.push_back(scale * (p - cloud_->origin));
    }
    const Vec3 viewpoint = options.viewpoint.value_or(Vec3{});
    map_.emplace(points, scale * (viewpoint - cloud_->origin), cloud_->scale.spacing);
    if (!options.viewpoint && !has_rows(scene) && !map_->plausible()) map_.reset();
    seen_.map = map_ ? &*map_ : nullptr;
  }
}

const std::shared_ptr<const TargetLevel>& FindScene::level(double voxel, Backend& backend) {
  auto& level = levels_[voxel];
  if (level == nullptr) {
    const LevelNeeds needs{.target_normals = true, .neighbours = normal_neighbours_};
    backend.on_host([&] { level = make_target_level(cloud_, voxel, 3, needs, backend); });
  }
  return level;
}

void FindScene::set_backdrops(const LargePlanes& planes) {
  seen_.backdrops.clear();
  if (!map_) return;
  for (const LargePlane& plane : planes.planes) {
    const double side = dot(plane.normal, map_->viewpoint() - plane.through) < 0 ? -1 : 1;
    Backdrop& b = seen_.backdrops.emplace_back(Backdrop{side * plane.normal, plane.through, {}});
    const std::size_t every = std::max<std::size_t>(1, plane.points.size() / 500);
    for (std::size_t i = 0; i < plane.points.size(); i += every) b.points.push_back(plane.points[i]);
  }
}

std::vector<char> FindScene::explained(const TargetLevel& level) const {
  std::vector<char> result(level.tree->size(), 0);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const TreePoint& p = level.tree->points()[i];
    const Neighbour near = nearest(seen_.tree, p.x, p.y, p.z, 3e38f);
    result[i] = near.found() && seen_.owner[near.slot] >= 0 ? 1 : 0;
  }
  return result;
}

}  // namespace dovetail
