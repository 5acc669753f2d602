// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "confidence/cases.h"
#include "core/eigen_symmetric.h"

#include <algorithm>
#include <numbers>

#include "confidence/makers.h"
#include "dovetail/error.h"
#include "dovetail/prepare.h"
#include "scenes/spoil.h"

namespace dovetail::bench::confidence {
namespace {

constexpr Chance methods[] = {{"icp", 50}, {"em_icp", 11}, {"softassign", 4}, {"chamfer", 13}, {"evaluate", 22}};

/// Moves a cloud in its own frame and keeps what is known about it.
void move_source(Case& c, const Transform& moved_from_source) {
  const Transform back = moved_from_source.inverse();
  c.source = moved_from_source * std::move(c.source);
  c.truth = c.truth * back;
  for (Transform& t : c.equivalents) t = t * back;
}

void move_target(Case& c, const Transform& moved_from_target) {
  c.target = moved_from_target * std::move(c.target);
  c.truth = moved_from_target * c.truth;
  for (Transform& t : c.equivalents) t = moved_from_target * t;
}

Transform shift_by(const Case& c, const Vec3& shift) {
  if (c.source.dimension == 2) return Rigid2{Mat2::identity(), {shift[0], shift[1]}};
  return Rigid3{Mat3::identity(), shift};
}

void shift_far_away(Case& c, RandomStream& random) {
  const double length = log_uniform(1e5, 1e6, random);
  c.details["far_away"] = length;
  move_target(c, shift_by(c, length * random.unit_vector()));
  if (chance(0.7, random)) move_source(c, shift_by(c, length * random.unit_vector()));
}

/// Both clouds in other units: lengths in the truth follow, rotations stay.
void change_units(Case& c, RandomStream& random) {
  const double factor = log_uniform(1e-3, 1e3, random);
  c.details["unit"] = factor;
  for (PointCloud* cloud : {&c.source, &c.target}) {
    for (Vec3& p : cloud->positions) p = factor * p;
  }
  const auto scale_shift = [&](Transform& t) {
    for (int k = 0; k < 3; ++k) t.matrix(k, 3) *= factor;
  };
  scale_shift(c.truth);
  c.period = factor * c.period;
  for (Transform& t : c.equivalents) scale_shift(t);
}

void give_normals(Case& c, RandomStream& random) {
  NormalOptions options;
  const bool source = chance(0.8, random), target = !source || chance(0.8, random);
  c.details["normals"] = source + 2 * target;
  for (PointCloud* cloud : {source ? &c.source : nullptr, target ? &c.target : nullptr}) {
    if (!cloud) continue;
    if (cloud->dimension == 3 && chance(0.6, random)) options.viewpoint = Vec3{};
    estimate_normals(*cloud, options);
  }
}

void add_noise_of(Case& c, double low, double high, RandomStream& random) {
  const double spacings = log_uniform(low, high, random);
  const double deviation = spacings * std::max(spacing_of(c.source), spacing_of(c.target));
  c.details["noise"] = spacings;
  add_noise(c.source, deviation, random), add_noise(c.target, deviation, random);
}

void thin(Case& c, RandomStream& random) {
  const int which = static_cast<int>(random.below(3));  // source, target, both
  const std::size_t least = c.source.dimension == 2 ? 100 : 200;
  if (which != 1) c.source = thinned(c.source, point_count(static_cast<double>(least), 2000, random), random);
  if (which != 0) c.target = thinned(c.target, point_count(static_cast<double>(least), 2000, random), random);
}

void cut(Case& c, RandomStream& random) {
  for (PointCloud* cloud : {&c.source, &c.target}) {
    if (cloud == &c.target && chance(0.4, random)) continue;
    const double share = random.uniform(0.15, 0.6);
    c.details[cloud == &c.source ? "cut_source" : "cut_target"] = share;
    chance(0.6, random) ? cut_half_space(*cloud, share, random) : cut_ball(*cloud, share, random);
  }
}

void thin_one(Case& c, RandomStream& random) {
  const double ratio = log_uniform(3, 12, random);
  PointCloud& cloud = chance(0.5, random) ? c.source : c.target;
  c.details["density_ratio"] = ratio;
  cloud = thinned(
      cloud, std::max<std::size_t>(200, static_cast<std::size_t>(static_cast<double>(cloud.size()) / ratio)), random);
}

/// Softassign and EM-ICP take every pair of points: fewer of them.
void thin_for_method(Case& c, RandomStream& random) {
  const std::size_t most = c.method == "softassign" ? 1200 : c.method == "em_icp" ? 4000 : 20000;
  c.source = thinned(c.source, most, random), c.target = thinned(c.target, most, random);
}

/// A pose that is to be evaluated: the truth, nearly, or a wrong one.
void draw_evaluated_pose(Case& c, RandomStream& random) {
  const double radius = radius_of(c.source);
  const Vec3 center = centroid_of(c.source);
  const double what = random.uniform();
  if (c.has_truth && what < 0.5) {
    const double degrees = chance(0.3, random) ? 0 : random.uniform(0, 2),
                 shift = degrees > 0 ? random.uniform(0, 0.03) : 0;
    c.start = turned_and_shifted(c.truth, center, degrees, shift * radius, random);
  } else if (what < 0.7) {
    c.evaluate_icps_answer = true;
  } else if (c.has_truth) {
    c.start = turned_and_shifted(c.truth, center, log_uniform(8, 180, random), random.uniform(0, 0.3) * radius, random);
  }
}

}  // namespace

void spoil_case(Case& c, RandomStream& random) {
  const auto is = [&](const char* kind) { return c.kind == kind; };
  const bool few = is("slice") || is("scan_line");
  if (is("cut_out") || (!few && chance(0.08, random))) cut(c, random);
  if (is("thinned") || (!is("planar") && !is("planar_stranger") && !few && chance(0.06, random))) thin(c, random);
  if (is("unequal_density") || (!few && chance(0.03, random))) thin_one(c, random);
  if (is("noise"))
    add_noise_of(c, 0.1, 3, random);
  else if (chance(0.3, random))
    add_noise_of(c, 0.02, 0.5, random);
  if (is("outliers") || chance(0.08, random)) {
    const double share = is("outliers") ? random.uniform(0.05, 0.3) : random.uniform(0.01, 0.1);
    c.details["outliers"] = share;
    add_outliers(c.source, share, random);
    if (chance(0.6, random)) add_outliers(c.target, share, random);
  }
  thin_for_method(c, random);
  if (is("units") || chance(0.1, random)) change_units(c, random);
  if (is("far_coordinates") || chance(0.04, random)) shift_far_away(c, random);
  if (is("normals") || chance(0.15, random)) give_normals(c, random);
}

/// The direction in which a cloud spreads least.
Vec3 thin_axis(const PointCloud& cloud) {
  const Vec3 center = centroid_of(cloud);
  Symmetric<double, 3> scatter{};
  for (const Vec3& p : cloud.positions) scatter.add_outer(1, p - center);
  return eigen_symmetric(scatter).vector(0);
}

/// Whoever takes a slice knows how level and how high it is: off is the turn in its plane, and the shift along it.
void draw_start_of_slice(Case& c, RandomStream& random) {
  const Vec3 center = centroid_of(c.source), axis = thin_axis(c.source);
  const double radius = radius_of(c.source);
  const bool near = chance(0.65, random);
  const double degrees = near ? random.uniform(0, 15) : random.uniform(30, 180);
  const double shift = near ? random.uniform(0, 0.2) : random.uniform(0, 1.0);
  c.details["start_degrees"] = degrees, c.details["start_radii"] = shift;
  Vec3 along = cross(axis, random.unit_vector());
  if (norm(along) > 0) along *= shift * radius / norm(along);
  const Mat3 turn = exp_so3((degrees * std::numbers::pi / 180) * axis);
  const Rigid3 in_plane{turn, center + along + random.uniform(-0.03, 0.03) * radius * axis - turn * center};
  c.start = turned_and_shifted(c.truth * Transform(in_plane), center, random.uniform(0, 2), 0, random);
}

void draw_start(Case& c, RandomStream& random) {
  const Vec3 center = centroid_of(c.source);
  const double radius = radius_of(c.source);
  if (!c.has_truth) {
    // The clouds' middles together, any way round.
    const Transform middle = shift_by(c, centroid_of(c.target) - center);
    c.start = turned_and_shifted(middle, center, random.uniform(0, 180), random.uniform(0, 0.5) * radius, random);
    return;
  }
  if (c.kind == "repeated" && chance(0.6, random)) {
    // Off by about one period: what is there looks alike.
    const double periods = (chance(0.5, random) ? 1 : -1) * random.uniform(0.85, 1.15);
    c.details["start_periods"] = periods;
    Transform start = c.truth;
    for (int k = 0; k < 3; ++k) start.matrix(k, 3) += periods * c.period[k];
    c.start = turned_and_shifted(start, center, random.uniform(0, 4), 0, random);
    return;
  }
  if (c.kind == "slice" || c.kind == "scan_line") return draw_start_of_slice(c, random);
  const bool near = c.kind == "near" || (c.kind != "far" && chance(c.method == "chamfer" ? 0.8 : 0.6, random));
  const double degrees = near ? random.uniform(2, 15) : random.uniform(30, 180);
  const double shift = near ? random.uniform(0, 0.2) : random.uniform(0, 1.5);
  c.details["start_degrees"] = degrees, c.details["start_radii"] = shift;
  c.start = turned_and_shifted(c.truth, center, degrees, shift * radius, random);
}

Case make_case(const std::string& set, std::uint64_t index, std::uint64_t seed, const Wanted& wanted) {
  const bool real = set == "real", cad = set == "cad";
  if (!real && !cad && set != "synthetic") throw InvalidArgument("set " + set + ": allowed are synthetic, cad, real");
  RandomStream random(seed * 3 + (real ? 2 : cad ? 1 : 0), index);
  Case c;
  c.set = set, c.index = index, c.seed = seed;
  c.kind = real ? real_kind(random) : cad ? cad_kind(random) : synthetic_kind(random);
  c.method = drawn(methods, random);
  if (!wanted.kind.empty()) {
    if (!is_kind(set, wanted.kind)) throw InvalidArgument("set " + set + " has no cases of kind " + wanted.kind);
    c.kind = wanted.kind;
  }
  if (!wanted.method.empty()) c.method = wanted.method;
  real ? make_real(c, random) : cad ? make_cad(c, random) : make_synthetic(c, random);
  spoil_case(c, random);
  draw_start(c, random);
  if (c.method == "evaluate") draw_evaluated_pose(c, random);
  return c;
}

Off off_by(const Case& c, const Transform& pose, const Transform& truth) {
  return {rotation_angle_between(pose, truth) * 180 / std::numbers::pi,
          distance_between(pose, truth, centroid_of(c.source)) / radius_of(c.source)};
}

namespace {
bool near_enough(const Off& off) { return off.degrees < 5 && off.radii < 0.1; }
}  // namespace

bool is_right(const Case& c, const Transform& pose) {
  return c.has_truth && c.kind != "opposite" && near_enough(off_by(c, pose, c.truth));
}

bool is_right_up_to_symmetry(const Case& c, const Transform& pose) {
  if (is_right(c, pose)) return true;
  return c.has_truth && std::any_of(c.equivalents.begin(), c.equivalents.end(), [&](const Transform& equivalent) {
           return near_enough(off_by(c, pose, equivalent));
         });
}

}  // namespace dovetail::bench::confidence
