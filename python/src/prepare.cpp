// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/prepare.h"

#include <pybind11/stl.h>

#include "arrays.h"
#include "bindings.h"
#include "named.h"
#include "points_argument.h"
#include "session.h"

namespace dovetail::python {
namespace {

constexpr std::pair<const char*, OriginPoints> origins[] = {
    {"auto", OriginPoints::automatic}, {"keep", OriginPoints::keep}, {"drop", OriginPoints::drop}};

PointCloud with_normals(const PointsLike& points, int neighbours, const std::optional<py::object>& viewpoint) {
  PointsArgument argument(points, "points");
  NormalOptions options;
  options.neighbours = neighbours;
  if (viewpoint) options.viewpoint = vec3_from(*viewpoint, "viewpoint");
  const PointCloud& given = argument.cloud();
  return without_gil([&] {
    PointCloud cloud = given;
    estimate_normals(cloud, options);
    return cloud;
  });
}

}  // namespace

void add_prepare(py::module_& m) {
  m.def(
      "downsample",
      [](const PointsLike& points, double voxel) {
        PointsArgument argument(points, "points");
        const PointCloud& cloud = argument.cloud();
        return without_gil([&] { return downsample(cloud, voxel); });
      },
      py::arg("points"), py::arg("voxel"),
      "One point for every cube of this side that holds points: the mean of their positions, colours and normals.");
  m.def(
      "estimate_normals", &with_normals, py::arg("points"), py::kw_only(), py::arg("neighbours") = 16,
      py::arg("viewpoint") = py::none(),
      "The cloud with the normal of the plane (in 2D: of the line) that fits each point's neighbours, 3 to 32 of them, "
      "best; turned towards a viewpoint where one is given.");
  m.def(
      "drop_invalid",
      [](const PointsLike& points, const std::string& origin_points) {
        PointsArgument argument(points, "points");
        const OriginPoints at_origin = value_named(origins, "origin_points", origin_points);
        const PointCloud& cloud = argument.cloud();
        return without_gil([&] { return drop_invalid(cloud, nullptr, at_origin); });
      },
      py::arg("points"), py::kw_only(), py::arg("origin_points") = "auto",
      "The cloud without points that are not finite, and without those exactly at the origin: 'auto' where they look "
      "like a sensor's no-return marks, 'keep', 'drop'.");
  m.def(
      "measure_scale",
      [](const PointsLike& points) {
        PointsArgument argument(points, "points");
        const PointCloud& cloud = argument.cloud();
        const CloudScale scale = without_gil([&] { return measure_scale(cloud); });
        return std::map<std::string, double>{{"extent", scale.extent}, {"spacing", scale.spacing}};
      },
      py::arg("points"), "How large and how dense a cloud is: 'extent' and 'spacing', in its own units.");
}

}  // namespace dovetail::python
