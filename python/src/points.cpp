// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/points.h"

#include <pybind11/stl.h>

#include "bindings.h"
#include "cloud_parts.h"
#include "points_argument.h"

namespace dovetail::python {
namespace {

PointCloud make_cloud(const PointsLike& points, const py::object& normals, const py::object& colors,
                      const py::object& faces, const py::object& attributes) {
  PointsArgument given(points, "points");
  PointCloud cloud = given.cloud();
  set_normals(cloud, normals);
  set_colors(cloud, colors);
  set_faces(cloud, faces);
  set_attributes(cloud, attributes);
  return cloud;
}

std::string repr(const PointCloud& cloud) {
  std::string text =
      "<dovetail.PointCloud of " + std::to_string(cloud.size()) + " points in " + std::to_string(cloud.dimension) + "D";
  if (!cloud.normals.empty()) text += ", normals";
  if (!cloud.colors.empty()) text += ", colors";
  if (!cloud.faces.empty()) text += ", " + std::to_string(cloud.faces.size()) + " faces";
  for (const Attribute& attribute : cloud.attributes) text += ", " + attribute.name;
  return text + ">";
}

/// What pickle keeps.
py::tuple state_of(const py::object& self) {
  const auto& cloud = self.cast<const PointCloud&>();
  return py::make_tuple(py::array(self.attr("points")), self.attr("normals"), self.attr("colors"), faces_state(cloud),
                        self.attr("attributes"), cloud.width, cloud.height, cloud.precision == Precision::float32);
}

PointCloud cloud_from(const py::tuple& state) {
  PointCloud cloud = make_cloud({state[0]}, state[1], state[2], py::none(), state[4]);
  set_faces_state(cloud, state[3]);
  cloud.width = state[5].cast<std::uint32_t>();
  cloud.height = state[6].cast<std::uint32_t>();
  cloud.precision = state[7].cast<bool>() ? Precision::float32 : Precision::float64;
  return cloud;
}

}  // namespace

void add_points(py::module_& m) {
  py::class_<PointCloud>(m, "PointCloud",
                         "Points with what their file said about them. Its arrays are views of its own memory that "
                         "cannot be written to: a changed cloud is a new one.")
      .def(py::init(&make_cloud), py::arg("points"), py::kw_only(), py::arg("normals") = py::none(),
           py::arg("colors") = py::none(), py::arg("faces") = py::none(), py::arg("attributes") = py::none(),
           "Copies points (n, 3) or (n, 2), normals (n, 3), colors (n, 3) or (n, 4) of uint8, faces (m, 3) of corner "
           "indices, and a dict of further values, one or a short row for each point.")
      .def_property_readonly("points", &points_array,
                             "Coordinates, (n, 3) or in 2D (n, 2), in the file's units; NaN is "
                             "an invalid point.")
      .def_property_readonly("normals", &normals_array, "Unit normals, (n, 3), or None.")
      .def_property_readonly("colors", &colors_array, "Red, green, blue and, where it means anything, alpha; or None.")
      .def_property_readonly("faces", &faces_array,
                             "Triangles as indices of their corners, (m, 3), or None; larger faces are fans of them.")
      .def_property_readonly("attributes", &attributes_dict, "Everything else a point carried, by its name.")
      .def_readonly("dimension", &PointCloud::dimension, "2 or 3.")
      .def_readonly("width", &PointCloud::width, "Columns of an organised cloud, else 0.")
      .def_readonly("height", &PointCloud::height, "Rows of an organised cloud, else 0.")
      .def_property_readonly(
          "precision",
          [](const PointCloud& c) { return std::string(c.precision == Precision::float32 ? "float32" : "float64"); },
          "'float32' or 'float64': what its file held, and what it is written with.")
      .def("__len__", &PointCloud::size)
      .def(
          "__array__",
          [](const py::object& self, const py::object& dtype) -> py::array {
            const py::object points = self.attr("points");
            return dtype.is_none() ? points : points.attr("astype")(dtype);
          },
          py::arg("dtype") = py::none(), "The points, for NumPy.")
      .def("__repr__", &repr)
      .def(py::pickle(&state_of, &cloud_from));

  m.def(
      "inspect_points",
      [](const PointsLike& points) {
        const PointsArgument argument(points, "points");
        const PointsView& view = argument.view();
        py::dict told;
        told["address"] = reinterpret_cast<std::uintptr_t>(view.data);
        told["count"] = view.count;
        told["dimension"] = view.dimension;
        told["stride_bytes"] = view.stride_bytes();
        told["precision"] = view.precision == Precision::float32 ? "float32" : "float64";
        told["on_device"] = view.on_device;
        return told;
      },
      py::arg("points"),
      "How a run would see these points: where they are and how they are laid out. The address is "
      "the array's own where nothing has to be copied.");
}

}  // namespace dovetail::python
