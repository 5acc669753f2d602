// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scenes/views.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "dovetail/scanner.h"
#include "scenes/spoil.h"

namespace dovetail::bench::scenes {
namespace {

constexpr double pi = std::numbers::pi;

std::uint64_t seed_from(RandomStream& random) {
  const std::uint64_t high = random.next();
  return high << 32 | random.next();
}

/// Only what came back; no longer an image.
PointCloud seen(const PointCloud& image) {
  PointCloud cloud;
  for (const Vec3& p : image.positions) {
    if (std::isfinite(p[0])) cloud.positions.push_back(p);
  }
  return cloud;
}

Vec3 any_up(const Vec3& direction, RandomStream& random) {
  Vec3 up = random.unit_vector();
  while (norm(cross(up, direction)) < 0.3 * norm(direction)) up = random.unit_vector();
  return up;
}

ScanOptions camera(const Ball& ball, const Vec3& towards_eye, RandomStream& random) {
  constexpr double distance = 3.5;
  const Vec3 direction = (1 / norm(towards_eye)) * towards_eye;
  ScanOptions options;
  options.mesh_from_sensor =
      look_at(ball.center + distance * ball.radius * direction, ball.center, any_up(direction, random));
  options.field_of_view = 2 * std::asin(1 / distance) * 180 / pi;
  options.seed = seed_from(random);
  return options;
}

}  // namespace

Ball ball_around(const PointCloud& mesh) {
  Vec3 low = mesh.positions.at(0), high = low;
  for (const Vec3& p : mesh.positions) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  }
  return {0.5 * (low + high), 0.5 * norm(high - low)};
}

View view_from(const PointCloud& mesh, const Vec3& towards_eye, std::size_t count, double noise, RandomStream& random) {
  ScanOptions options = camera(ball_around(mesh), towards_eye, random);
  options.width = options.height = 48;
  const double share = std::max(1e-2, static_cast<double>(seen(scan(mesh, options)).size()) / (48 * 48));
  options.width = options.height = static_cast<int>(std::lround(std::sqrt(static_cast<double>(count) / share)));
  options.noise = noise;
  return {seen(scan(mesh, options)), options.mesh_from_sensor};
}

View sweep_from(const PointCloud& mesh, const Sweep& sweep, RandomStream& random) {
  const auto shots = std::max(1, static_cast<int>(std::ceil(sweep.span / (0.5 * pi) - 1e-9)));
  const double each = sweep.span / shots;
  ScanOptions options;
  options.field_of_view = each * 180 / pi;
  options.width = std::max(2, static_cast<int>(std::lround(sweep.columns * each / (0.5 * pi))));
  // Pixels are square, so that the rows would not reach 35 degrees up and down by themselves: the height follows from
  // the wanted angle, and the rows between are left out.
  const double pixel = 2 * std::tan(0.5 * each) / options.width;
  options.height = sweep.rows == 1 ? 1 : 2 * static_cast<int>(std::tan(35 * pi / 180) / pixel) + 1;
  options.noise = sweep.noise;
  const int stride = sweep.rows == 1 ? 1 : std::max(1, options.height / sweep.rows);

  View view{{}, Rigid3{exp_so3(Vec3{0, 0, sweep.yaw}), sweep.eye}};
  const Transform cloud_from_object = view.object_from_cloud.inverse();
  for (int shot = 0; shot < shots; ++shot) {
    const double yaw = sweep.yaw + (shot + 0.5) * each;
    options.mesh_from_sensor = look_at(sweep.eye, sweep.eye + Vec3{std::cos(yaw), std::sin(yaw), 0});
    options.seed = seed_from(random);
    const PointCloud image = scan(mesh, options);
    const Transform cloud_from_sensor = cloud_from_object * options.mesh_from_sensor;
    for (int row = 0; row < options.height; row += stride) {
      for (int column = 0; column < options.width; ++column) {
        const Vec3 p = image.positions[static_cast<std::size_t>(row * options.width + column)];
        if (std::isfinite(p[0])) view.cloud.positions.push_back(cloud_from_sensor * p);
      }
    }
  }
  if (sweep.rows == 1) {
    for (Vec3& p : view.cloud.positions) p[2] = 0;  // exactly, not but for rounding
  }
  return view;
}

View outline_at(const PointCloud& mesh, double height, int columns, double noise, RandomStream& random) {
  const Ball ball = ball_around(mesh);
  View view;
  constexpr int sensors = 6;
  const double first = random.uniform(0, 2 * pi);
  for (int i = 0; i < sensors; ++i) {
    const double angle = first + 2 * pi * i / sensors;
    const Vec3 at = {ball.center[0], ball.center[1], height};
    ScanOptions options;
    options.mesh_from_sensor = look_at(at + 4 * ball.radius * Vec3{std::cos(angle), std::sin(angle), 0}, at);
    options.field_of_view = 2 * std::asin(0.25) * 180 / pi;
    options.width = columns, options.height = 1, options.noise = noise, options.seed = seed_from(random);
    for (const Vec3& p : seen(scan(mesh, options)).positions) {
      const Vec3 q = options.mesh_from_sensor * p;
      view.cloud.positions.push_back({q[0], q[1], height});
    }
  }
  return view;
}

View spread_over(const PointCloud& mesh, std::size_t count, RandomStream& random) {
  const Faces& faces = mesh.faces;
  struct Triangle {
    Vec3 a, b, c;
  };
  std::vector<Triangle> triangles;
  std::vector<double> upto;
  double area = 0;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    for (std::uint32_t k = faces.start[f] + 2; k < faces.start[f + 1]; ++k) {
      const Triangle t = {mesh.positions[faces.index[faces.start[f]]], mesh.positions[faces.index[k - 1]],
                          mesh.positions[faces.index[k]]};
      area += norm(cross(t.b - t.a, t.c - t.a));
      triangles.push_back(t), upto.push_back(area);
    }
  }
  View view;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = std::lower_bound(upto.begin(), upto.end() - 1, random.uniform(0, area)) - upto.begin();
    const Triangle& t = triangles[static_cast<std::size_t>(at)];
    const double a = std::sqrt(random.uniform()), b = random.uniform();
    view.cloud.positions.push_back((1 - a) * t.a + a * (1 - b) * t.b + a * b * t.c);
  }
  return view;
}

View seen_all_around(const PointCloud& mesh, std::size_t count, double noise, RandomStream& random) {
  View all;
  constexpr int sensors = 10;  // over the sphere along a spiral
  for (int i = 0; i < sensors; ++i) {
    const double z = 1 - (2.0 * i + 1) / sensors, angle = 2.399963229728653 * i, r = std::sqrt(1 - z * z);
    const Vec3 direction = {r * std::cos(angle), r * std::sin(angle), z};
    const View one = view_from(mesh, direction, count / 4, noise, random);
    for (const Vec3& p : one.cloud.positions) all.cloud.positions.push_back(one.object_from_cloud * p);
  }
  all.cloud = thinned(all.cloud, count, random);
  return all;
}

}  // namespace dovetail::bench::scenes
