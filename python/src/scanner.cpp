// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/scanner.h"

#include <pybind11/stl.h>

#include <deque>

#include "arrays.h"
#include "bindings.h"
#include "named.h"
#include "points_argument.h"
#include "pose_argument.h"
#include "session.h"
#include "shown.h"

namespace dovetail::python {
namespace {

BuiltInPart part_named(const std::string& name) {
  std::vector<std::pair<std::string, BuiltInPart>> table;
  for (const BuiltInPart part : built_in_parts()) table.emplace_back(to_string(part), part);
  return value_named(table, "name", name);
}

PointCloud scan_scene(const std::vector<std::pair<PointsLike, PoseLike>>& parts, const ScanOptions& options) {
  std::deque<PointsArgument> meshes;
  std::vector<ScenePart> scene;
  for (const auto& [mesh, pose] : parts) {
    PointsArgument& argument = meshes.emplace_back(mesh, "mesh");
    scene.push_back({&argument.cloud(), pose_from(pose, "scene_from_part")});
  }
  return without_gil([&] { return scan(scene, options); });
}

PointCloud scan_any(const py::object& mesh, const std::optional<PoseLike>& sensor, int width, int height,
                    double field_of_view, double noise, double dropout, std::uint64_t seed) {
  ScanOptions options;
  if (sensor && !sensor->object.is_none()) options.mesh_from_sensor = pose_from(*sensor, "sensor");
  options.width = width;
  options.height = height;
  options.field_of_view = field_of_view;
  options.noise = noise;
  options.dropout = dropout;
  options.seed = seed;
  if (py::isinstance<py::list>(mesh) || py::isinstance<py::tuple>(mesh)) {
    std::vector<std::pair<PointsLike, PoseLike>> parts;
    for (const py::handle part : mesh) {
      if (!py::isinstance<py::sequence>(part) || py::len(part) != 2) {
        throw InvalidArgument("mesh: " + shown(part) +
                              " is not allowed in a scene; allowed: pairs of a mesh and its pose");
      }
      const auto pair = py::reinterpret_borrow<py::sequence>(part);
      parts.emplace_back(PointsLike{pair[0]}, PoseLike{pair[1]});
    }
    return scan_scene(parts, options);
  }
  PointsArgument argument({mesh}, "mesh");
  const PointCloud& cloud = argument.cloud();
  return without_gil([&] { return scan(cloud, options); });
}

}  // namespace

void add_scanner(py::module_& m) {
  m.def(
      "built_in_parts",
      [] {
        std::vector<std::string> names;
        for (const BuiltInPart part : built_in_parts()) names.emplace_back(to_string(part));
        return names;
      },
      "The parts that built_in_part() knows.");
  m.def(
      "built_in_part", [](const std::string& name) { return built_in_part(part_named(name)); },
      py::arg("name") = "bracket", "A part as a triangle mesh in millimetres, for demonstrations and tests.");
  m.def(
      "look_at",
      [](const py::object& eye, const py::object& at, const py::object& up) {
        return matrix_of(look_at(vec3_from(eye, "eye"), vec3_from(at, "at"), vec3_from(up, "up")));
      },
      py::arg("eye"), py::arg("at"), py::arg("up") = py::make_tuple(0.0, 0.0, 1.0),
      "The pose of a sensor that looks from one point at another, 4x4.");
  const ScanOptions defaults;
  m.def("scan", &scan_any, py::arg("mesh"), py::arg("sensor") = py::none(), py::kw_only(),
        py::arg("width") = defaults.width, py::arg("height") = defaults.height,
        py::arg("field_of_view") = defaults.field_of_view, py::arg("noise") = defaults.noise,
        py::arg("dropout") = defaults.dropout, py::arg("seed") = defaults.seed,
        "What a virtual depth sensor sees of a mesh, or of a scene: a list of (mesh, pose) pairs. An organised cloud "
        "in the "
        "sensor's frame (z along the view, x to the right, y down), NaN where nothing came back; of a scene its "
        "attribute "
        "'label' has the number of the part that was hit. sensor is where it stands, see look_at(); field_of_view in "
        "degrees; noise is the standard deviation of the range, dropout the share of rays that do not come back.");
}

}  // namespace dovetail::python
