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

namespace {

/// How many of some places are behind a backdrop that is there, not one that has ended before.
double behind(std::span<const Vec3> places, std::span<const Backdrop> backdrops, double tolerance) {
  if (places.empty()) return 0;
  Vec3 middle{}, low = places[0], high = places[0];
  for (const Vec3& p : places) {
    middle += p;
    for (int a = 0; a < 3; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
  }
  middle = (1.0 / static_cast<double>(places.size())) * middle;
  const double near = 0.5 * norm(high - low);
  double most = 0;
  for (const Backdrop& b : backdrops) {
    const Vec3 foot = middle - dot(b.normal, middle - b.through) * b.normal;
    const bool there = std::any_of(b.points.begin(), b.points.end(),
                                   [&](const Vec3& p) { return squared_norm(p - foot) < near * near; });
    if (!there) continue;
    double count = 0;
    for (const Vec3& p : places) count += dot(b.normal, p - b.through) < -tolerance ? 1 : 0;
    most = std::max(most, count);
  }
  return most;
}

}  // namespace

Sighting sight(std::span<const SurfacePoint> object, const Similarity3& scene_from_object, const SeenScene& scene,
               const SightingSettings& settings) {
  Sighting s;
  std::vector<Vec3> places;
  for (const SurfacePoint& p : object) places.push_back(scene_from_object * p.place);
  s.beneath = behind(places, scene.backdrops, 1.5 * settings.tolerance);
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
    const bool something_there = near.found() && range > double{seen.near} - slack && range < double{seen.far} + slack;
    if (seen.nothing() || (something_there && !object[i].at_edge)) {
      s.missing += 1;
    } else if (range < scene.map->clear_up_to(scene.map->cell_of(y)) - slack) {
      s.contradicted += 1;
    } else {
      s.hidden += 1;  // or beside an edge of something, where a cell of the map tells little
    }
  }
  std::sort(s.slots.begin(), s.slots.end());
  s.slots.erase(std::unique(s.slots.begin(), s.slots.end()), s.slots.end());
  return s;
}

SurfaceIndex::SurfaceIndex(std::span<const SurfacePoint> points) {
  std::vector<Vec3f> places;
  for (const SurfacePoint& p : points) places.push_back(p.place.cast<float>()), normals.push_back(p.normal);
  tree = KdTree(places);
}

bool SurfaceIndex::bends_near(const SurfacePoint& point, double distance) const {
  bool bends = false;
  const auto squared = static_cast<float>(distance * distance);
  WithinRadius near(
      squared, [&](const Neighbour& n) { bends = bends || std::fabs(dot(normals[n.index], point.normal)) < parallel; });
  search(tree.view(), static_cast<float>(point.place[0]), static_cast<float>(point.place[1]),
         static_cast<float>(point.place[2]), near);
  return bends;
}

void tell_continued(const SurfaceIndex& object, const Similarity3& scene_from_object, const SeenScene& scene,
                    const SightingSettings& settings, Sighting& sighting) {
  constexpr std::size_t most_asked = 250;
  constexpr double beside = 2, beyond = 4;  // in tolerances: a band about the object
  constexpr double along = 0.35, level = 0.93;
  const double inner = beside * settings.tolerance, outer = beyond * settings.tolerance;
  const Similarity3 object_from_scene = scene_from_object.inverse();
  const std::size_t every = std::max<std::size_t>(1, sighting.slots.size() / most_asked);
  std::vector<std::uint32_t>& around = sighting.around;
  around.clear();
  for (std::size_t i = 0; i < sighting.slots.size(); i += every) {
    const TreePoint& p = scene.tree.points[sighting.slots[i]];
    WithinRadius near(static_cast<float>(outer * outer), [&](const Neighbour& n) { around.push_back(n.slot); });
    search(scene.tree, p.x, p.y, p.z, near);
  }
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  double met = 0, continued = 0, left_over = 0;
  const auto on_backdrop = [&](const Vec3& p) {
    return std::any_of(scene.backdrops.begin(), scene.backdrops.end(),
                       [&](const Backdrop& b) { return std::fabs(dot(b.normal, p - b.through)) < inner; });
  };
  for (const std::uint32_t slot : around) {
    if (std::binary_search(sighting.slots.begin(), sighting.slots.end(), slot)) {
      met += 1;
      continue;
    }
    const TreePoint& q = scene.tree.points[slot];
    const Vec3 here{double{q.x}, double{q.y}, double{q.z}}, there = object_from_scene * here;
    const Neighbour own = nearest(object.tree.view(), static_cast<float>(there[0]), static_cast<float>(there[1]),
                                  static_cast<float>(there[2]), static_cast<float>(outer * outer));
    if (!own.found() || double{own.squared_distance} < inner * inner) continue;
    left_over += on_backdrop(here) || scene.owner[slot] >= 0 ? 0 : 1;
    const TreePoint& y = object.tree.points()[own.slot];
    const Vec3& n = object.normals[own.index];
    const Vec3 apart = there - Vec3{double{y.x}, double{y.y}, double{y.z}};
    const Vec3 m = object_from_scene.rotation * scene.normals[slot];
    const bool in_plane = std::fabs(dot(n, apart)) < along * norm(apart) && std::fabs(dot(n, m)) > level;
    continued += in_plane ? 1 : 0;
  }
  sighting.continued = met > 0 ? continued / met * static_cast<double>(sighting.slots.size()) : 0;
  sighting.left_over = met > 0 ? left_over / met * static_cast<double>(sighting.slots.size()) : 0;
}

}  // namespace dovetail
