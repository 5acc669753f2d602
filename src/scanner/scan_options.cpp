// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scanner/scan_options.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/random.h"
#include "dovetail/error.h"

namespace dovetail {
namespace scanner {
namespace {

template <class Value>
void require(bool fine, const char* field, Value value, const char* allowed) {
  if (fine) return;
  throw InvalidArgument(fmt::format("scan option {}: {} is not allowed; allowed: {}", field, value, allowed));
}

void check_part(const ScenePart& part) {
  if (!part.mesh) throw InvalidArgument("scan: a part of the scene has no mesh");
  const PointCloud& mesh = *part.mesh;
  if (mesh.faces.empty()) throw InvalidArgument("scan: the mesh has no faces; there is nothing to see");
  for (const std::uint32_t corner : mesh.faces.index) {
    require(corner < mesh.size(), "mesh.faces", corner, "indices of the mesh's points");
  }
  const Model model = part.scene_from_part.model;
  require(dimension(model) == 3, "scene_from_part", to_string(model), "rigid3, similarity3, affine3");
}

}  // namespace

void check(std::span<const ScenePart> scene, const ScanOptions& o) {
  require(o.width >= 1 && o.width <= 16384, "width", o.width, "1 to 16384");
  require(o.height >= 1 && o.height <= 16384, "height", o.height, "1 to 16384");
  require(o.field_of_view > 0 && o.field_of_view < 180, "field_of_view", o.field_of_view,
          "more than 0 and less than 180 degrees");
  require(o.noise >= 0 && std::isfinite(o.noise), "noise", o.noise, "0 or more");
  require(o.dropout >= 0 && o.dropout <= 1, "dropout", o.dropout, "0 to 1");
  require(o.mesh_from_sensor.model == Model::rigid3, "mesh_from_sensor", to_string(o.mesh_from_sensor.model), "rigid3");
  if (scene.empty()) throw InvalidArgument("scan: the scene has no parts; there is nothing to see");
  for (const ScenePart& part : scene) check_part(part);
}

Vec3 ray_direction(const ScanOptions& o, int column, int row) {
  const double pixel = 2 * std::tan(0.5 * o.field_of_view * std::numbers::pi / 180) / o.width;
  const Vec3 d = {pixel * (column + 0.5 - 0.5 * o.width), pixel * (row + 0.5 - 0.5 * o.height), 1.0};
  return d * (1.0 / norm(d));
}

double measured_range(const ScanOptions& o, std::uint64_t pixel, double range) {
  RandomStream random(o.seed, pixel);
  const double loss = random.uniform();
  const double noise = o.noise > 0 ? o.noise * random.normal() : 0.0;
  return loss < o.dropout ? std::numeric_limits<double>::quiet_NaN() : range + noise;
}

}  // namespace scanner

Transform look_at(const Vec3& eye, const Vec3& at, const Vec3& up) {
  const Vec3 view = at - eye;
  const double distance = norm(view);
  const Vec3 z = view * (1.0 / distance);
  const Vec3 right = cross(z, up);
  const double size = norm(right);
  if (!(distance > 0) || !(size > 1e-9 * norm(up))) {
    throw InvalidArgument("look_at: eye and at coincide, or up is parallel to the view");
  }
  const Vec3 x = right * (1.0 / size), y = cross(z, x);
  return Rigid3{Mat3{x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]}, eye};
}

}  // namespace dovetail
