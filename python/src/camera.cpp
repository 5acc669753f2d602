// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "camera.h"

#include <pybind11/stl/filesystem.h>

#include <cmath>

#include "bindings.h"
#include "dovetail/error.h"
#include "report.h"
#include "shown.h"

namespace dovetail::python {

std::optional<DepthCamera> camera_from(const py::object& camera) {
  if (camera.is_none()) return std::nullopt;
  if (py::isinstance<DepthCamera>(camera)) return camera.cast<DepthCamera>();
  try {
    return read_camera(camera.cast<std::filesystem::path>());
  } catch (const py::cast_error&) {
    throw py::type_error("camera: " + shown(camera) + " is not allowed; allowed: a DepthCamera or a camera's file");
  }
}

namespace {

/// What a camera's file may say as well; 0 where it says nothing of the size and the depths.
DepthCamera checked(const DepthCamera& camera) {
  const auto check = [](bool allowed, const char* name, double value, const char* what) {
    if (!allowed) {
      throw InvalidArgument(std::string(name) + ": " + short_text(value) + " is not allowed; allowed: " + what);
    }
  };
  const auto size = [&](const char* name, int value) {
    check(value >= 0, name, value, "1 or more, or 0: the image's");
  };
  const auto focal = [&](const char* name, double value) {
    check(std::isfinite(value) && value > 0, name, value, "more than 0");
  };
  const auto center = [&](const char* name, double value) { check(std::isfinite(value), name, value, "finite"); };
  size("width", camera.width), size("height", camera.height);
  focal("fx", camera.fx), focal("fy", camera.fy);
  center("cx", camera.cx), center("cy", camera.cy);
  check(std::isfinite(camera.depth_scale) && camera.depth_scale >= 0, "depth_scale", camera.depth_scale,
        "more than 0, or 0: not told");
  check(camera.pixel_center == 0 || camera.pixel_center == 0.5, "pixel_center", camera.pixel_center, "0 or 0.5");
  return camera;
}

}  // namespace

void add_camera(py::module_& m) {
  py::class_<DepthCamera>(m, "DepthCamera", "A pinhole camera as a camera.json of the BOP benchmark has it, in pixels.")
      .def(py::init([](int width, int height, double fx, double fy, double cx, double cy, double depth_scale,
                       double pixel_center) {
             return checked({width, height, fx, fy, cx, cy, depth_scale, pixel_center, {}});
           }),
           py::kw_only(), py::arg("width"), py::arg("height"), py::arg("fx"), py::arg("fy"), py::arg("cx"),
           py::arg("cy"), py::arg("depth_scale") = 0.0, py::arg("pixel_center") = 0.0)
      .def_readonly("width", &DepthCamera::width)
      .def_readonly("height", &DepthCamera::height)
      .def_readonly("fx", &DepthCamera::fx)
      .def_readonly("fy", &DepthCamera::fy)
      .def_readonly("cx", &DepthCamera::cx)
      .def_readonly("cy", &DepthCamera::cy)
      .def_readonly("depth_scale", &DepthCamera::depth_scale,
                    "Millimetres in a step of depth; 0: the smallest power of ten that fits.")
      .def_readonly("pixel_center", &DepthCamera::pixel_center,
                    "Where in a pixel its centre is: 0 as OpenCV calibrates, 0.5 as renderers do it.")
      .def(pickled<DepthCamera>())
      .def("__repr__", [](const DepthCamera& c) {
        return "<dovetail.DepthCamera " + std::to_string(c.width) + " x " + std::to_string(c.height) + ", fx " +
               short_text(c.fx) + ", fy " + short_text(c.fy) + ", cx " + short_text(c.cx) + ", cy " + short_text(c.cy) +
               ">";
      });
  m.def("read_camera", &read_camera, py::arg("file"), "Reads a camera: JSON, or a text with the 3 x 3 matrix.");
}

}  // namespace dovetail::python
