// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>
#include <tuple>

#include "confidence/makers.h"
#include "confidence/object_cases.h"
#include "scenes/rooms.h"
#include "scenes/spoil.h"

namespace dovetail::bench::confidence {
namespace {

constexpr double pi = std::numbers::pi;

/// The share of source points that have a target point within about 0.2 m at the truth.
double overlap_of(const Case& c) {
  constexpr double cell = 0.2;
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
  const auto key = [&](const Vec3& p, int dx = 0, int dy = 0, int dz = 0) {
    return Key(static_cast<std::int64_t>(std::floor(p[0] / cell)) + dx,
               static_cast<std::int64_t>(std::floor(p[1] / cell)) + dy,
               static_cast<std::int64_t>(std::floor(p[2] / cell)) + dz);
  };
  std::set<Key> taken;
  for (const Vec3& p : c.target.positions) taken.insert(key(p));
  std::size_t met = 0;
  for (const Vec3& p : c.source.positions) met += taken.contains(key(c.truth * p));
  return static_cast<double>(met) / static_cast<double>(c.source.size());
}

Sweep full_sweep(const PointCloud& room, RandomStream& random, double lowest = 0.8, double highest = 1.8) {
  Sweep sweep;
  sweep.eye = free_place(room, lowest, highest, random);
  sweep.yaw = random.uniform(-pi, pi);
  sweep.columns = 60, sweep.rows = static_cast<int>(random.uniform(20, 45));
  sweep.noise = log_uniform(0.001, 0.01, random);
  return sweep;
}

}  // namespace

void two_places(Case& c, const Object& room, RandomStream& random) {
  for (int attempt = 0; attempt < 12; ++attempt) {
    Sweep first = full_sweep(room.mesh, random), second = full_sweep(room.mesh, random);
    first.span = random.uniform(1.2, 3.6), second.span = random.uniform(1.2, 3.6);
    first.columns = second.columns = 100;
    c.equivalents.clear();
    View source = sweep_from(room.mesh, first, random);
    take_views(c, room, std::move(source), sweep_from(room.mesh, second, random));
    if (c.source.size() < 500 || c.target.size() < 500) continue;
    const double overlap = c.details["overlap_at_truth"] = overlap_of(c);
    if (overlap > 0.2 && overlap < 0.8) break;
  }
}

void slice_of_room(Case& c, const Object& room, RandomStream& random) {
  Sweep row = full_sweep(room.mesh, random, 0.15);  // low ones meet the furniture
  row.rows = 1, row.columns = 150;
  View slice = sweep_from(room.mesh, row, random);
  slice.cloud = thinned(slice.cloud, point_count(150, 600, random), random);
  Sweep whole = full_sweep(room.mesh, random);
  take_views(c, room, std::move(slice), sweep_from(room.mesh, whole, random));
}

void planar_room(Case& c, const Object& room, RandomStream& random) {
  Sweep first = full_sweep(room.mesh, random, 0.15);
  Sweep second = full_sweep(room.mesh, random, first.eye[2], first.eye[2]);
  const bool narrow = chance(0.5, random);
  for (Sweep* sweep : {&first, &second}) {
    sweep->rows = 1;
    sweep->columns = static_cast<int>(point_count(80, 500, random));
    if (narrow) sweep->span = random.uniform(2, 2 * pi);
  }
  View source = sweep_from(room.mesh, first, random);
  take_views(c, room, std::move(source), sweep_from(room.mesh, second, random));
  make_planar(c);
}

void repeated_structure(Case& c, const Object& colonnade, RandomStream& random) {
  const Ball ball = ball_around(colonnade.mesh);
  const double x = ball.center[0] + random.uniform(-0.2, 0.2) * ball.radius;
  const auto sweep_at = [&](double along) {
    Sweep sweep;
    sweep.eye = {along, random.uniform(-6, -3), random.uniform(1.2, 2)};
    sweep.span = random.uniform(1.3, 2.4);
    sweep.yaw = 0.5 * pi - 0.5 * sweep.span + random.uniform(-0.3, 0.3);
    sweep.columns = 110, sweep.rows = 50;
    sweep.noise = log_uniform(0.001, 0.01, random);
    return sweep_from(colonnade.mesh, sweep, random);
  };
  View source = sweep_at(x);
  View target = sweep_at(x + random.uniform(-1, 1) * colonnade.period);
  const Mat4 back = target.object_from_cloud.inverse().matrix;
  c.period = colonnade.period * Vec3{back(0, 0), back(1, 0), back(2, 0)};
  take_views(c, colonnade, std::move(source), std::move(target));
}

}  // namespace dovetail::bench::confidence
