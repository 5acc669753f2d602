// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "range_image.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cmath>

#include "bindings.h"
#include "camera.h"
#include "dovetail/error.h"
#include "dovetail/units.h"
#include "likes.h"
#include "shown.h"
#include "state.h"

namespace dovetail::python {

template <>
struct Fields<RangeImage> {
  static auto of(auto& i) { return std::tie(i.camera, i.depth, i.cloud_from_camera); }
};

namespace {

using FloatArray = py::array_t<float, py::array::c_style | py::array::forcecast>;

/// Depths along z, row by row; what is masked or no depth becomes 0. `unit` is millimetres in one of them; 0: whole
/// numbers are steps of the camera's depth_scale, and of floats the depths tell it, as they do in a file.
RangeImage image_of(const py::array& given, const std::optional<DepthCamera>& camera, double unit) {
  if (given.ndim() != 2) {
    throw InvalidArgument("image: an array of " + std::to_string(given.ndim()) +
                          " dimensions is not allowed; allowed: (rows, columns)");
  }
  if (!camera) throw InvalidArgument("camera: an array needs one; allowed: a DepthCamera or a camera's file");
  if (camera->distorted()) throw InvalidArgument("camera: with distortion is not allowed for an array, only for files");
  if (!std::isfinite(unit) || unit < 0) {
    throw InvalidArgument("millimetres: " + std::to_string(unit) + " is not allowed; allowed: 0 or more");
  }
  const auto height = static_cast<int>(given.shape(0)), width = static_cast<int>(given.shape(1));
  if ((camera->width != 0 && camera->width != width) || (camera->height != 0 && camera->height != height)) {
    throw InvalidArgument("image: " + std::to_string(width) + " x " + std::to_string(height) +
                          " pixels, and the camera has " + std::to_string(camera->width) + " x " +
                          std::to_string(camera->height));
  }
  const FloatArray depths = py::module_::import("dovetail._arrays").attr("depths")(given, "image");
  RangeImage image{*camera, {depths.data(), depths.data() + depths.size()}};
  image.camera.width = width;
  image.camera.height = height;
  if (!(unit > 0)) {
    const bool floats = py::str(given.dtype().attr("kind")).cast<std::string>() == "f";
    const double step = camera->depth_scale > 0 ? camera->depth_scale : 1;
    unit = floats ? likely_depth_unit(image.depth) : step;
  }
  for (float& depth : image.depth) {
    depth = std::isfinite(depth) && depth > 0 ? static_cast<float>(depth * unit) : 0.f;
  }
  return image;
}

/// A view of the image's own memory.
py::array_t<float> depth_array(const py::object& self) {
  const auto& image = self.cast<const RangeImage&>();
  py::array_t<float> view({image.camera.height, image.camera.width}, image.depth.data(), self);
  view.attr("flags").attr("writeable") = false;
  return view;
}

/// What was measured, as points in the camera's frame.
PointCloud points_of(const RangeImage& image) {
  PointCloud cloud;
  cloud.precision = Precision::float32;
  for (int y = 0; y < image.camera.height; ++y) {
    for (int x = 0; x < image.camera.width; ++x) {
      const double depth = image.at(x, y);
      if (depth > 0) cloud.positions.push_back(depth * image.camera.direction(x, y));
    }
  }
  return cloud;
}

}  // namespace

RangeImage range_image_from(const py::object& image, const py::object& camera, double unit) {
  const std::optional<DepthCamera> seen_by = camera_from(camera);
  if (py::isinstance<RangeImage>(image)) {
    if (seen_by) throw InvalidArgument("camera: a RangeImage has its own");
    return image.cast<RangeImage>();
  }
  if (py::isinstance<py::array>(image)) return image_of(py::reinterpret_borrow<py::array>(image), seen_by, unit);
  if (py::isinstance<PointCloud>(image)) {
    return range_image_of(image.cast<const PointCloud&>(), seen_by, unit, "image");
  }
  try {
    return read_range_image(image.cast<std::filesystem::path>(), seen_by, unit);
  } catch (const py::cast_error&) {
    throw py::type_error(
        "image: " + shown(image) +
        " is not allowed; allowed: a RangeImage, an array (rows, columns), an organised cloud, a file");
  }
}

RangeImage range_image_of_search(const py::object& image, const Found& found) {
  const bool has_camera = py::isinstance<RangeImage>(image);
  return range_image_from(image, has_camera ? py::none() : py::cast(found.camera), found.depth_unit);
}

void add_range_image(py::module_& m) {
  py::class_<RangeImage>(m, "RangeImage", "What a depth camera measured, in millimetres.")
      .def(py::init([](const ArrayLike& depth, const py::object& camera, double millimetres) {
             if (!py::isinstance<py::array>(depth.object)) {
               throw py::type_error("depth: " + shown(depth.object) +
                                    " is not allowed; allowed: an array (rows, columns)");
             }
             return image_of(py::reinterpret_borrow<py::array>(depth.object), camera_from(camera), millimetres);
           }),
           py::arg("depth"), py::arg("camera"), py::kw_only(), py::arg("millimetres") = 0.0,
           "Copies depths along z, an array (rows, columns). millimetres is what one unit of them is; 0: whole numbers "
           "are steps of the camera's depth_scale (1 mm where it has none), floats are metres where their median is "
           "below 20, else millimetres, as in files. What is masked, not finite or not positive was not measured.")
      .def_readonly("camera", &RangeImage::camera)
      .def_property_readonly("depth", &depth_array,
                             "Millimetres along z, (rows, columns); 0 where nothing was measured.")
      .def("points", &points_of, "What was measured, as points in the camera's frame, in millimetres.")
      .def(pickled<RangeImage>())
      .def("__repr__", [](const RangeImage& i) {
        const auto measured = std::count_if(i.depth.begin(), i.depth.end(), [](float d) { return d > 0; });
        return "<dovetail.RangeImage of " + std::to_string(i.camera.width) + " x " + std::to_string(i.camera.height) +
               " pixels, " + std::to_string(measured) + " with a depth>";
      });
  m.def(
      "read_range_image",
      [](const std::filesystem::path& file, const py::object& camera, double millimetres) {
        return read_range_image(file, camera_from(camera), millimetres);
      },
      py::arg("file"), py::arg("camera") = py::none(), py::kw_only(), py::arg("millimetres") = 0.0,
      "Reads a range image: a grey PNG of 16 bits, a NumPy file (rows, columns), or an organised PLY or PCD. camera is "
      "a DepthCamera or a file; organised clouds need none. millimetres is what one unit of NumPy files and clouds is; "
      "0: whole numbers are steps of the camera's depth_scale, floats metres where their median is below 20, else "
      "millimetres. A PNG has steps of depth_scale.");
}

}  // namespace dovetail::python
