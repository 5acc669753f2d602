// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "find/table_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

namespace dovetail::bench::find {
namespace {

constexpr double pi = std::numbers::pi;

PointCloud square_table(double side) {
  const double half = 0.5 * side;
  PointCloud mesh;
  mesh.positions = {{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}};
  mesh.faces.add({0, 1, 2, 3});
  return mesh;
}

ScanOptions scan_options(const Camera& camera) {
  const double up = camera.elevation * pi / 180;
  ScanOptions options;
  options.mesh_from_sensor =
      look_at(camera.at + camera.distance * Vec3{std::cos(up) * std::cos(camera.azimuth),
                                                 std::cos(up) * std::sin(camera.azimuth), std::sin(up)},
              camera.at);
  options.width = camera.width, options.height = camera.height;
  options.field_of_view = camera.field_of_view;
  options.noise = camera.noise, options.seed = camera.seed;
  return options;
}

const std::vector<std::int32_t>& labels_of(const PointCloud& image) {
  return std::get<std::vector<std::int32_t>>(image.attributes.at(0).values);
}

/// The parts in their order, the table last.
PointCloud scan_table(const ScanOptions& options, const std::vector<Standing>& parts, double table_side) {
  const PointCloud table = square_table(table_side);
  std::vector<ScenePart> scene;
  for (const Standing& s : parts) scene.push_back({&s.part->sought.mesh, s.table_from_part});
  scene.push_back({&table, {}});
  return scan(scene, options);
}

/// Pixels that show a part when it is alone.
std::size_t pixels_alone(const Standing& standing, const ScanOptions& options) {
  const ScenePart alone = {&standing.part->sought.mesh, standing.table_from_part};
  const PointCloud image = scan({&alone, 1}, options);
  return static_cast<std::size_t>(std::count(labels_of(image).begin(), labels_of(image).end(), 0));
}

}  // namespace

bool hits_any(const Standing& part, const std::vector<Standing>& others) {
  return std::any_of(others.begin(), others.end(), [&](const Standing& other) {
    return surfaces_cross(part.part->triangles, other.part->triangles,
                          other.table_from_part.inverse() * part.table_from_part);
  });
}

Case seen_by(const Camera& camera, const std::vector<Standing>& parts, double table_side) {
  const ScanOptions options = scan_options(camera);
  const PointCloud image = scan_table(options, parts, table_side);
  Case c;
  c.search = true;
  c.scene.precision = image.precision;
  const Transform sensor_from_table = options.mesh_from_sensor.inverse();
  for (const Standing& s : parts) {
    c.placed.push_back({s.part->sought.name, {}, sensor_from_table * Transform(s.table_from_part), 0, 0, false});
  }
  for (std::size_t i = 0; i < image.size(); ++i) {
    const std::int32_t label = labels_of(image)[i];
    if (label < 0) continue;
    const bool on_part = static_cast<std::size_t>(label) < parts.size();
    c.scene.positions.push_back(image.positions[i]);
    c.labels.push_back(on_part ? label : -1);
    if (on_part) ++c.placed[static_cast<std::size_t>(label)].points;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t alone = pixels_alone(parts[i], options);
    if (alone > 0) c.placed[i].visible_share = static_cast<double>(c.placed[i].points) / static_cast<double>(alone);
  }
  c.details["noise"] = camera.noise, c.details["elevation"] = camera.elevation;
  return c;
}

double filled_share(Camera camera, const std::vector<Standing>& parts, double table_side) {
  camera.width = 80, camera.height = 60;
  const PointCloud image = scan_table(scan_options(camera), parts, table_side);
  const auto empty = std::count(labels_of(image).begin(), labels_of(image).end(), -1);
  return 1 - static_cast<double>(empty) / static_cast<double>(image.size());
}

}  // namespace dovetail::bench::find
