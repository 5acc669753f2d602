// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dovetail/error.h"
#include "find/sets.h"
#include "scenes/draw.h"
#include "scenes/objects.h"
#include "scenes/real_objects.h"
#include "scenes/resting.h"
#include "scenes/rooms.h"
#include "scenes/spoil.h"
#include "scenes/views.h"
#include "spatial/bounds.h"
#include "spatial/kd_search.h"
#include "spatial/kd_tree.h"

// Two clouds of which one has to come to lie on the other, from any rotation and shift.

namespace dovetail::bench::find {
namespace {

constexpr double pi = std::numbers::pi;

/// The share of points that have a point of `others` within a distance.
double share_near(const PointCloud& points, const PointCloud& others, double distance) {
  std::vector<Vec3f> all;
  for (const Vec3& p : others.positions) all.push_back(p.cast<float>());
  const KdTree tree(all);
  std::size_t near = 0;
  for (const Vec3& p : points.positions) {
    const Vec3f q = p.cast<float>();
    near += nearest(tree.view(), q[0], q[1], q[2], static_cast<float>(distance * distance)).found();
  }
  return static_cast<double>(near) / static_cast<double>(points.size());
}

Case pair_of(const std::string& name, PointCloud source, PointCloud target, const Transform& target_from_source) {
  Case c;
  SoughtObject object;
  object.name = name;
  object.center = centroid_of(source);
  object.diameter = diameter_of(source.positions);
  object.cloud = std::move(source);
  c.scene = std::move(target);
  c.placed.push_back({name, 0, target_from_source, c.scene.size(), 1, true});
  c.objects.push_back(std::move(object));
  return c;
}

void put_source_at(Case& c, const Rigid3& moved_from_source) {
  SoughtObject& object = c.objects[0];
  object.cloud = Transform(moved_from_source) * std::move(object.cloud);
  object.center = moved_from_source * object.center;
  c.placed[0].scene_from_object = c.placed[0].scene_from_object * Transform(moved_from_source).inverse();
}

/// The source in a frame of its own: turned any way, and shifted by up to `reach`.
void move_source(Case& c, double reach, RandomStream& random) {
  const Vec3& center = c.objects[0].center;
  const Mat3 turn = random.rotation();
  put_source_at(c, {turn, center - turn * center + random.uniform(0, reach) * random.unit_vector()});
}

struct Overlaps {
  double source = 0, target = 0;
  bool within(double low, double high) const {
    return std::min(source, target) >= low && std::max(source, target) <= high;
  }
};

constexpr double near_in_rooms = 0.1;  // metres: the points of a distant wall are a few centimetres apart

Overlaps overlaps_of(const View& source, const View& target) {
  const Transform target_from_source = target.object_from_cloud.inverse() * source.object_from_cloud;
  const PointCloud moved = target_from_source * source.cloud;
  return {share_near(moved, target.cloud, near_in_rooms), share_near(target.cloud, moved, near_in_rooms)};
}

/// The share of what both saw of a room that is neither floor, ceiling nor wall: without any, corners of a room look
/// alike, and nothing tells which is which.
double furniture_in_common(const PointCloud& room, const View& source, const View& target) {
  constexpr double thickness = 0.1, clear = 0.06;  // of walls, floor and ceiling; off them
  Bounds box;
  for (const Vec3& p : room.positions) box.add(p);
  const PointCloud in_room = source.object_from_cloud * source.cloud, other = target.object_from_cloud * target.cloud;
  std::vector<Vec3f> all;
  for (const Vec3& p : other.positions) all.push_back(p.cast<float>());
  const KdTree tree(all);
  double common = 0, furniture = 0;
  for (const Vec3& p : in_room.positions) {
    const Vec3f q = p.cast<float>();
    if (!nearest(tree.view(), q[0], q[1], q[2], static_cast<float>(near_in_rooms * near_in_rooms)).found()) continue;
    bool on_shell = p[2] > box.high[2] - thickness - clear;
    for (int a = 0; a < 3; ++a) on_shell = on_shell || p[a] < box.low[a] + thickness + clear;
    for (int a = 0; a < 2; ++a) on_shell = on_shell || p[a] > box.high[a] - thickness - clear;
    common += 1, furniture += on_shell ? 0 : 1;
  }
  return common > 0 ? furniture / common : 0;
}

Sweep any_sweep(const PointCloud& room, RandomStream& random) {
  Sweep sweep;
  sweep.eye = free_place(room, 0.8, 1.8, random);
  sweep.yaw = random.uniform(-pi, pi), sweep.span = random.uniform(1.4, 3.2);
  return sweep;
}

/// What a scanner at its best gives, but for a few holes.
View spoiled(const PointCloud& room, Sweep sweep, std::size_t points, double noise, RandomStream& random) {
  sweep.columns = 320, sweep.rows = 300, sweep.noise = noise;
  View view = sweep_from(room, sweep, random);
  const std::uint32_t holes = 2 + random.below(4);
  for (std::uint32_t i = 0; i < holes; ++i) cut_ball(view.cloud, random.uniform(0.005, 0.03), random);
  view.cloud = thinned(view.cloud, points, random);
  return view;
}

Case two_scans_of_a_room(std::uint64_t index, std::uint64_t seed, bool sensor_at_origin) {
  RandomStream random(seed * 8 + 5, index);
  const Object room = room_object(1000 + index, {{4.5, 3.8, 2.4}, {5.5, 5.0, 3.0}});
  for (int attempt = 0; attempt < 500; ++attempt) {
    Sweep first = any_sweep(room.mesh, random), second = any_sweep(room.mesh, random);
    first.columns = second.columns = 80;
    View source = sweep_from(room.mesh, first, random), target = sweep_from(room.mesh, second, random);
    if (source.cloud.size() < 1000 || target.cloud.size() < 1000) continue;
    if (!overlaps_of(source, target).within(0.2, 0.55)) continue;  // roughly, before it is scanned in full
    const std::size_t points = point_count(10000, 60000, random);
    const double noise = log_uniform(0.002, 0.01, random);
    source = spoiled(room.mesh, first, points, noise, random);
    target = spoiled(room.mesh, second, points, noise, random);
    const Overlaps overlaps = overlaps_of(source, target);
    if (!overlaps.within(0.25, 0.5) || source.cloud.size() < 10000 || target.cloud.size() < 10000) continue;
    const double furniture = furniture_in_common(room.mesh, source, target);
    Case c = pair_of(room.name, std::move(source.cloud), std::move(target.cloud),
                     target.object_from_cloud.inverse() * source.object_from_cloud);
    c.details = {{"overlap_of_source", overlaps.source},
                 {"overlap_of_target", overlaps.target},
                 {"furniture_in_common", furniture},
                 {"noise", noise}};
    c.placed[0].visible_share = overlaps.source;
    sensor_at_origin ? put_source_at(c, {random.rotation(), {}}) : move_source(c, 5, random);
    c.limits = {2, 0.05, 0};
    return c;
  }
  throw InvalidArgument("rooms: no two places that see enough of the same in " + room.name);
}

}  // namespace

Case rooms(std::uint64_t index, std::uint64_t seed) { return two_scans_of_a_room(index, seed, false); }
Case rooms_as_scanned(std::uint64_t index, std::uint64_t seed) { return two_scans_of_a_room(index, seed, true); }

Case views(std::uint64_t index, std::uint64_t seed) {
  constexpr std::uint64_t poses_a_pair = 20;
  RandomStream random(seed * 8 + 6, index);
  const std::vector<RealPair>& pairs = partial_view_pairs();
  const RealPair& pair = pairs[static_cast<std::size_t>(index / poses_a_pair) % pairs.size()];
  Case c = pair_of(pair.name, pair.source, pair.target, pair.target_from_source);
  const double radius = radius_of(pair.source);
  c.details = {{"radius", radius}};
  move_source(c, 2 * radius, random);
  c.limits = {2, 0.02 * radius, 0};
  return c;
}

namespace {

Case milk(RandomStream& random) {
  const RealPair& pair = milk_in_its_scene();
  Case c = pair_of(pair.object, pair.source, pair.target, pair.target_from_source);
  c.placed[0].points = pair.source.size();  // the model was cut out of the scene
  c.limits = {2, 0.005, 0};
  move_source(c, 0.5, random);
  return c;
}

}  // namespace

Case milk_with_start(std::uint64_t index, std::uint64_t seed) {
  RandomStream random(seed * 8 + 7, 2 * index);
  Case c = milk(random);
  const SoughtObject& carton = c.objects[0];
  // Any rotation about where the carton is, and up to 5 cm beside it.
  const Transform& truth = c.placed[0].scene_from_object;
  const Mat3 turn = random.rotation();
  const Vec3 middle = truth * carton.center, shift = random.uniform(0, 0.05) * random.unit_vector();
  c.start = Transform(Rigid3{turn, middle - turn * middle + shift}) * truth;
  c.details = {{"start_degrees", rotation_angle_between(*c.start, truth) * 180 / pi}, {"start_shift", norm(shift)}};
  return c;
}

Case milk_anywhere(std::uint64_t index, std::uint64_t seed) {
  RandomStream random(seed * 8 + 7, 2 * index + 1);
  Case c = milk(random);
  c.search = true;
  return c;
}

}  // namespace dovetail::bench::find
