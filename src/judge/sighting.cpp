// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/sighting.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "spatial/kd_search.h"

namespace dovetail {

namespace {

constexpr double grazing = 0.15;  // cosine between the view and a surface below which nothing is asked
constexpr double parallel = 0.7;  // between normals of surfaces that are one

/// The nearest of the object's own points in each direction of a map.
std::unordered_map<std::uint32_t, double> own_ranges(std::span<const Vec3> places, const RangeMap& map) {
  std::unordered_map<std::uint32_t, double> nearest;
  for (const Vec3& p : places) {
    const std::uint32_t cell = map.cell_of(p);
    if (cell == RangeMap::no_cell) continue;
    const double r = norm(p - map.viewpoint());
    const auto [at, added] = nearest.try_emplace(cell, r);
    if (!added) at->second = std::min(at->second, r);
  }
  return nearest;
}

}  // namespace

Sighting sight(std::span<const SurfacePoint> object, const Similarity3& scene_from_object, const SeenScene& scene,
               const SightingSettings& settings) {
  Sighting s;
  std::vector<Vec3> places;
  for (const SurfacePoint& p : object) places.push_back(scene_from_object * p.place);
  std::unordered_map<std::uint32_t, double> own;
  if (scene.map != nullptr) own = own_ranges(places, *scene.map);
  const double reach = std::hypot(settings.tolerance, settings.near);
  for (std::size_t i = 0; i < object.size(); ++i) {
    s.asked += 1;
    const Vec3& y = places[i];
    const Vec3 n = scene_from_object.rotation * object[i].normal;
    const bool has_normal = squared_norm(n) > 0;
    double slant = 1;
    RangeMap::Seen seen;
    double range = 0;
    if (scene.map != nullptr) {
      const Vec3 ray = y - scene.map->viewpoint();
      range = norm(ray);
      const double facing = has_normal ? -dot(n, ray) / range : 1;
      slant = settings.normals_point_out ? facing : std::fabs(facing);
      const std::uint32_t cell = scene.map->cell_of(y);
      const auto front = own.find(cell);
      const bool behind_itself = front != own.end() && range > front->second + settings.self_depth;
      if (slant < grazing || cell == RangeMap::no_cell || behind_itself) {
        s.hidden += 1;
        continue;
      }
      seen = scene.map->at(cell);
    }
    const float at[3] = {static_cast<float>(y[0]), static_cast<float>(y[1]), static_cast<float>(y[2])};
    const Neighbour near = nearest(scene.tree, at[0], at[1], at[2], static_cast<float>(reach * reach));
    if (near.found()) {
      const Vec3& m = scene.normals[near.slot];
      const TreePoint& q = scene.tree.points[near.slot];
      const Vec3 apart = y - Vec3{double{q.x}, double{q.y}, double{q.z}};
      const bool known = has_normal && squared_norm(m) > 0;
      const double off = known ? std::fabs(dot(apart, m)) : norm(apart);
      if (off < settings.tolerance && (!known || std::fabs(dot(n, m)) > parallel)) {
        if (scene.owner[near.slot] >= 0) {
          s.taken += 1;
        } else {
          s.explained += 1;
          s.squares += off * off;
          s.slots.push_back(near.slot);
        }
        continue;
      }
    }
    if (scene.map == nullptr) {
      s.hidden += 1;  // for all that is known
      continue;
    }
    const double slack = settings.tolerance / std::max(slant, 0.3) + 0.5 * scene.map->cell() * range;
    if (seen.nothing() || (near.found() && range > double{seen.near} - slack && range < double{seen.far} + slack)) {
      s.missing += 1;
    } else if (range < double{seen.near} - slack) {
      s.contradicted += 1;
    } else {
      s.hidden += 1;
    }
  }
  std::sort(s.slots.begin(), s.slots.end());
  s.slots.erase(std::unique(s.slots.begin(), s.slots.end()), s.slots.end());
  return s;
}

}  // namespace dovetail
