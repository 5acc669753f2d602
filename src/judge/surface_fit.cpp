// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/surface_fit.h"

#include <algorithm>
#include <cmath>

#include "core/normal_equations.h"
#include "core/quantile.h"
#include "core/solve_positive.h"
#include "spatial/kd_search.h"
#include "spatial/parallel.h"

namespace dovetail {

namespace {

constexpr std::size_t noise_asked = 2000, fitted_points = 2000, misfit_points = 1500;
/// Neighbours that tell the surface, in spacings; fewer than so many of them do not.
constexpr double neighbour_spacings = 2;
constexpr int least_neighbours = 6;
/// A standard deviation in medians of the distance from zero.
constexpr double deviations_a_median = 1.4826;
constexpr int most_steps = 30;
/// How firmly a pose stays where points do not tell, beside how firmly they hold it where they do.
constexpr double held_back = 1e-3;
/// The reach shrinks by this per step, down to so many times the noise.
constexpr double narrowing = 0.75, noises_counted = 4;
/// Off the surface is what is off by more than this: in noises, and at least a part of the tolerance, for no model is
/// exact.
constexpr double noises_on = 3, least_on = 0.2;

Vec3 place_of(const SeenScene& scene, std::uint32_t slot) {
  const TreePoint& p = scene.tree.points[slot];
  return {double{p.x}, double{p.y}, double{p.z}};
}

bool on_backdrop(const Vec3& place, const SeenScene& scene, double distance) {
  return std::any_of(scene.backdrops.begin(), scene.backdrops.end(),
                     [&](const Backdrop& b) { return std::fabs(dot(b.normal, place - b.through)) < distance; });
}

/// Where a point was when its distance was last known.
struct Before {
  Vec3 there{};
  double distance = 1e150;

  /// How far from the surface it can be at most where it is now; a little more, for rounding.
  double most_at(const Vec3& now) const { return (1 + 1e-9) * (distance + norm(now - there)); }
};

/// Equations of all points: of so many at a time, and these in order, so that threads change no bit.
template <class Add>
NormalEquations<6> sum_of(std::size_t points, const Add& add) {
  constexpr std::size_t together = 128;
  std::vector<NormalEquations<6>> some((points + together - 1) / together, NormalEquations<6>::zero());
  parallel_for(some.size(), 1, [&](std::size_t k) {
    for (std::size_t i = k * together; i < std::min(points, (k + 1) * together); ++i) add(i, some[k]);
  });
  NormalEquations<6> all = NormalEquations<6>::zero();
  for (const NormalEquations<6>& part : some) all += part;
  return all;
}

/// What the points hardly tell, a turn about an axis or a shift along a plane, stays as it is.
void hold_back(NormalEquations<6>& sums, double spread) {
  const double weight = sums.weight;
  for (int i = 0; i < 6; ++i) {
    Vector<double, 6> row{};
    row[i] = i < 3 ? held_back * spread : held_back;
    sums.add(weight, row, 0);
  }
}

}  // namespace

double noise_of(const SeenScene& scene, double spacing) {
  const std::size_t count = scene.normals.size(), asked = std::min(count, noise_asked);
  std::vector<double> off(asked, -1);
  const double reach = neighbour_spacings * spacing;
  parallel_for(asked, 64, [&](std::size_t i) {
    const auto slot = static_cast<std::uint32_t>(i * count / asked);
    if (!(squared_norm(scene.normals[slot]) > 0)) return;
    const Vec3 p = place_of(scene, slot);
    Vec3 sum{};
    int neighbours = 0;
    WithinRadius near(static_cast<float>(reach * reach), [&](const Neighbour& n) {
      if (n.slot == slot) return;
      sum += place_of(scene, n.slot);
      ++neighbours;
    });
    const TreePoint& at = scene.tree.points[slot];
    search(scene.tree, at.x, at.y, at.z, near);
    if (neighbours < least_neighbours) return;
    // The mean of n neighbours has a noise of its own.
    off[i] = std::fabs(dot(scene.normals[slot], p - (1.0 / neighbours) * sum)) / std::sqrt(1 + 1.0 / neighbours);
  });
  std::erase_if(off, [](double d) { return d < 0; });
  return deviations_a_median * quantile(std::move(off), 0.5);
}

Similarity3 fitted_to_surface(const SurfaceTree& object, const Sighting& sighting, const SeenScene& scene,
                              const Similarity3& scene_from_object, const SightingSettings& settings) {
  const double reach = settings.tolerance;
  std::vector<Vec3> points;
  const std::vector<std::uint32_t>& slots = sighting.around;
  const Similarity3 first = scene_from_object.inverse();
  const std::size_t every = std::max<std::size_t>(1, slots.size() / fitted_points);
  for (std::size_t i = 0; i < slots.size(); i += every) {
    const Vec3 p = place_of(scene, slots[i]);
    const bool counts = scene.owner[slots[i]] < 0 && !on_backdrop(p, scene, reach);
    if (counts && object.any_within(first * p, reach * reach)) points.push_back(p);
  }
  const std::size_t count = points.size();
  Vec3 middle{};
  for (const Vec3& p : points) middle += (1.0 / static_cast<double>(count)) * p;
  double spread = 0;
  for (const Vec3& p : points) spread = std::max(spread, norm(p - middle));
  Similarity3 pose = scene_from_object;
  const double last_reach = std::min(reach, std::max(noises_counted * scene.noise, 0.1 * reach));
  std::vector<Before> before(count);
  for (int step = 0; step < most_steps; ++step) {
    const double now = std::max(last_reach, reach * std::pow(narrowing, step));
    const Similarity3 object_from_scene = pose.inverse();
    const auto add = [&](std::size_t i, NormalEquations<6>& sums) {
      const Vec3& p = points[i];
      const Vec3 there = object_from_scene * p;
      const double most = std::min(now, before[i].most_at(there));
      const SurfacePlace near = object.nearest(there, most * most);
      if (!near.found()) return;
      const double distance = std::sqrt(near.squared_distance);
      before[i] = {there, distance};
      const Vec3 apart = there - near.position;
      // Beside an edge the way to it, else across the face; the same but for rounding where both are known.
      const Vec3 across = distance > 1e-6 * reach ? (1 / distance) * apart : object.normal(near.piece);
      const double off = std::min(1.0, near.squared_distance / (now * now));
      const Vec3 n = pose.rotation * across;
      // The object moves, not the point: the residual falls as the surface comes towards it.
      const Vec3 moment = cross(p - middle, n);
      sums.add((1 - off) * (1 - off), {-moment[0], -moment[1], -moment[2], -n[0], -n[1], -n[2]}, distance);
    };
    NormalEquations<6> sums = sum_of(count, add);
    if (!(sums.weight > 6)) break;
    hold_back(sums, spread);
    Vector<double, 6> x = solve_positive(sums.jtj, sums.jtr);
    for (int i = 0; i < 6; ++i) x[i] = -x[i];
    const Rigid3 moved = step_about(middle, x);
    pose = Similarity3{moved.rotation, moved.translation, 1.0} * pose;
    const bool still = norm(Vec3{x[3], x[4], x[5]}) < 1e-4 * reach && norm(Vec3{x[0], x[1], x[2]}) < 1e-5;
    if (still && now <= last_reach) break;
  }
  return pose;
}

SurfaceMisfit misfit_of(const SurfaceTree& object, const Sighting& sighting, const SeenScene& scene,
                        const Similarity3& scene_from_object, const SightingSettings& settings) {
  SurfaceMisfit result;
  if (sighting.slots.empty()) return result;
  const Similarity3 object_from_scene = scene_from_object.inverse();
  const double tolerance = settings.tolerance, band = 2 * tolerance;
  const double on = std::max(noises_on * scene.noise, least_on * tolerance);
  const auto asked = [](const std::vector<std::uint32_t>& slots) {
    return std::max<std::size_t>(1, slots.size() / misfit_points);
  };
  double squares = 0, explained = 0;
  for (std::size_t i = 0; i < sighting.slots.size(); i += asked(sighting.slots)) {
    const Vec3 there = object_from_scene * place_of(scene, sighting.slots[i]);
    const SurfacePlace near = object.nearest(there, tolerance * tolerance);
    squares += near.found() ? near.squared_distance : tolerance * tolerance;
    explained += 1;
  }
  result.rms = std::sqrt(squares / explained);
  double beside = 0, off = 0;
  for (std::size_t i = 0; i < sighting.around.size(); i += asked(sighting.around)) {
    const std::uint32_t slot = sighting.around[i];
    if (scene.owner[slot] >= 0) continue;
    const Vec3 here = place_of(scene, slot);
    if (on_backdrop(here, scene, tolerance)) continue;
    const SurfacePlace near = object.nearest(object_from_scene * here, band * band);
    if (!near.found()) continue;
    beside += 1;
    off += near.squared_distance > on * on ? 1 : 0;
  }
  result.off = beside > 0 ? off / beside : 1;
  return result;
}

}  // namespace dovetail
