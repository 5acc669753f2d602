// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "confidence/object_cases.h"

#include <cmath>
#include <numbers>

#include "confidence/makers.h"
#include "dovetail/rotation.h"
#include "scenes/spoil.h"

namespace dovetail::bench::confidence {
namespace {

constexpr double pi = std::numbers::pi;

std::size_t usual_count(RandomStream& random) { return point_count(2000, 9000, random); }

/// A direction so many degrees from another, anywhere around it.
Vec3 direction_beside(const Vec3& direction, double degrees, RandomStream& random) {
  Vec3 axis = cross(direction, random.unit_vector());
  while (norm(axis) < 0.1) axis = cross(direction, random.unit_vector());
  return exp_so3((degrees * pi / 180 / norm(axis)) * axis) * direction;
}

View model_of(const Object& object, std::size_t count, RandomStream& random) {
  return chance(0.5, random) ? spread_over(object.mesh, count, random) : seen_all_around(object.mesh, count, 0, random);
}

/// The rotation and shift in the plane of a transform that keeps z.
Transform in_the_plane(const Transform& t) {
  const Mat4& m = t.matrix;
  const double angle = std::atan2(m(1, 0), m(0, 0));
  return Rigid2{exp_so2(angle), {m(0, 3), m(1, 3)}};
}

}  // namespace

void make_planar(Case& c) {
  for (PointCloud* cloud : {&c.source, &c.target}) {
    cloud->dimension = 2;
    for (Vec3& p : cloud->positions) p[2] = 0;
  }
  c.truth = in_the_plane(c.truth);
  c.equivalents.clear();
}

void take_views(Case& c, const Object& object, View source, View target) {
  c.object = object.name;
  c.source = std::move(source.cloud), c.target = std::move(target.cloud);
  const Transform target_from_object = target.object_from_cloud.inverse();
  c.truth = target_from_object * source.object_from_cloud;
  for (const Mat3& rotation : object.symmetries) {
    c.equivalents.push_back(target_from_object * Transform(Rigid3{rotation, {}}) * source.object_from_cloud);
  }
}

void two_views(Case& c, const Object& object, double low, double high, RandomStream& random) {
  const double apart = random.uniform(low, high);
  c.details["view_degrees"] = apart;
  const Vec3 direction = random.unit_vector();
  const std::size_t count = usual_count(random);
  View source = view_from(object.mesh, direction, count, 0, random);
  View target = view_from(object.mesh, direction_beside(direction, apart, random), count, 0, random);
  take_views(c, object, std::move(source), std::move(target));
}

void model_and_view(Case& c, const Object& object, RandomStream& random) {
  View view = view_from(object.mesh, random.unit_vector(), usual_count(random), 0, random);
  View model = model_of(object, point_count(3000, 12000, random), random);
  if (chance(0.2, random)) std::swap(view, model);
  take_views(c, object, std::move(view), std::move(model));
}

void any_pair(Case& c, const Object& object, RandomStream& random) {
  const double what = random.uniform();
  if (what < 0.5) return two_views(c, object, 0, 45, random);
  if (what < 0.8) return model_and_view(c, object, random);
  View source = model_of(object, usual_count(random), random);
  take_views(c, object, std::move(source), model_of(object, usual_count(random), random));
}

void make_strangers(Case& c, PointCloud source, const std::string& name, RandomStream& random) {
  const double factor = radius_of(c.target) / radius_of(source) * random.uniform(0.7, 1.4);
  for (Vec3& p : source.positions) p = factor * p;
  c.source = std::move(source);
  c.object = name + "+" + c.object;
  c.has_truth = false;
  c.equivalents.clear();
  c.period = {};
}

void strangers(Case& c, const Object& source, const Object& target, RandomStream& random) {
  Case other;
  any_pair(other, source, random);
  any_pair(c, target, random);
  make_strangers(c, std::move(other.source), source.name, random);
}

void slice_of_part(Case& c, const Object& object, RandomStream& random) {
  const Ball ball = ball_around(object.mesh);
  View slice;
  for (int attempt = 0; attempt < 20 && slice.cloud.size() < 150; ++attempt) {
    const double height = ball.center[2] + random.uniform(-0.4, 0.4) * ball.radius;
    slice = outline_at(object.mesh, height, 400, 0, random);
  }
  if (slice.cloud.empty()) slice = outline_at(object.mesh, ball.center[2], 400, 0, random);
  slice.cloud = thinned(slice.cloud, point_count(150, 600, random), random);
  View target = chance(0.5, random) ? seen_all_around(object.mesh, usual_count(random), 0, random)
                                    : view_from(object.mesh, random.unit_vector(), usual_count(random), 0, random);
  take_views(c, object, std::move(slice), std::move(target));
}

void scan_line_of_part(Case& c, const Object& object, RandomStream& random) {
  const Vec3 direction = random.unit_vector();
  View line = view_from(object.mesh, direction, 60000, 0, random);
  // The rays of one row lie in a plane through the pinhole: y is a fixed part of z. A row that meets little is no use.
  PointCloud row;
  for (int attempt = 0; attempt < 10 && row.size() < 100; ++attempt) {
    const double slope = random.uniform(-0.12, 0.12), half = 0.0012;
    row.positions.clear();
    for (const Vec3& p : line.cloud.positions) {
      if (std::fabs(p[1] / p[2] - slope) < half) row.positions.push_back(p);
    }
  }
  if (row.size() >= 60) line.cloud = std::move(row);
  line.cloud = thinned(line.cloud, point_count(100, 400, random), random);
  View target = view_from(object.mesh, direction_beside(direction, random.uniform(0, 30), random), usual_count(random),
                          0, random);
  take_views(c, object, std::move(line), std::move(target));
}

void planar_part(Case& c, const Object& object, RandomStream& random) {
  const Ball ball = ball_around(object.mesh);
  View outlines[2];
  for (int attempt = 0; attempt < 20 && outlines[0].cloud.size() < 150; ++attempt) {
    const double height = ball.center[2] + random.uniform(-0.4, 0.4) * ball.radius;
    for (View& view : outlines) view = outline_at(object.mesh, height, 500, 0, random);
  }
  for (View& view : outlines) {
    view.cloud = thinned(view.cloud, point_count(300, 2500, random), random);
    const Transform moved_from_object = Rigid3{exp_so3(Vec3{0, 0, random.uniform(-pi, pi)}), {}};
    view.cloud = moved_from_object * std::move(view.cloud);
    view.object_from_cloud = moved_from_object.inverse();
  }
  take_views(c, object, std::move(outlines[0]), std::move(outlines[1]));
  make_planar(c);
  for (PointCloud* cloud : {&c.source, &c.target}) {
    if (chance(0.35, random)) cut_half_space(*cloud, random.uniform(0.1, 0.5), random);
  }
}

}  // namespace dovetail::bench::confidence
