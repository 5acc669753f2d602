// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/geo_frame.h"

#include <utility>

#include "bindings.h"

namespace dovetail::python {

void add_geo_frame(py::module_& m) {
  py::class_<GeoFrame>(
      m, "GeoFrame",
      "A plane to hold longitudes and latitudes in: the transverse Mercator projection of WGS 84 about "
      "an origin, in metres.")
      .def(py::init([](double longitude, double latitude) {
             return GeoFrame{longitude, latitude};
           }),
           py::arg("longitude"), py::arg("latitude"))
      .def_readonly("longitude", &GeoFrame::longitude, "Of the origin, in degrees.")
      .def_readonly("latitude", &GeoFrame::latitude, "Of the origin, in degrees.")
      .def_property_readonly("proj", &to_proj_string, "The frame as PROJ and GDAL take it.")
      .def(
          "project",
          [](const GeoFrame& frame, double longitude, double latitude) {
            const Vec2 p = project(frame, longitude, latitude);
            return std::pair(p[0], p[1]);
          },
          py::arg("longitude"), py::arg("latitude"), "Degrees to metres: x to the east, y to the north.")
      .def(
          "unproject",
          [](const GeoFrame& frame, double x, double y) {
            const Vec2 p = unproject(frame, x, y);
            return std::pair(p[0], p[1]);
          },
          py::arg("x"), py::arg("y"), "Metres to degrees: longitude, latitude.")
      .def(
          "__eq__", [](const GeoFrame& a, const GeoFrame& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const GeoFrame& f) { return py::hash(py::make_tuple(f.longitude, f.latitude)); })
      .def("__repr__",
           [](const GeoFrame& f) {
             return "<dovetail.GeoFrame " + std::string(py::repr(py::float_(f.longitude))) + ", " +
                    std::string(py::repr(py::float_(f.latitude))) + ">";
           })
      .def(py::pickle([](const GeoFrame& f) { return py::make_tuple(f.longitude, f.latitude); },
                      [](const py::tuple& s) {
                        return GeoFrame{s[0].cast<double>(), s[1].cast<double>()};
                      }));
}

}  // namespace dovetail::python
