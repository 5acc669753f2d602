// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "points_argument.h"

#include "device_memory.h"
#include "dovetail/error.h"
#include "dovetail/io.h"
#include "session.h"

namespace dovetail::python {

namespace py = pybind11;

namespace {

/// An array, and none of the kinds derived from it, such as masked ones.
bool is_plain_array(const py::object& object) {
  return Py_TYPE(object.ptr()) == py::detail::npy_api::get().PyArray_Type_;
}

/// Bytes of a number of an array of floats or doubles; 0 of another. What pybind11 2.10 itself says of the size is
/// wrong with NumPy 2.
py::ssize_t float_size(const py::array& array) {
  if (py::isinstance<py::array_t<float>>(array)) return sizeof(float);
  return py::isinstance<py::array_t<double>>(array) ? sizeof(double) : 0;
}

/// Whether an array is what a view can look at: numbers of a point side by side, points one after another.
bool can_be_looked_at(const py::array& array) {
  const py::ssize_t number = float_size(array);
  if (array.ndim() != 2 || number == 0) return false;
  const py::ssize_t columns = array.shape(1);
  if (columns != 2 && columns != 3) return false;
  const bool aligned = (py::detail::array_proxy(array.ptr())->flags & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
  if (array.shape(0) < 2) return aligned && array.strides(1) == number;
  return aligned && array.strides(1) == number && array.strides(0) % number == 0 &&
         array.strides(0) >= columns * number;
}

}  // namespace

PointsArgument::PointsArgument(const PointsLike& points, const char* name) : name_(name), keep_(points.object) {
  const bool ready = py::isinstance<PointCloud>(keep_) ||
                     (is_plain_array(keep_) && can_be_looked_at(py::reinterpret_borrow<py::array>(keep_)));
  // What else there may be is Python's to know: files, meshes of other libraries, lists, arrays laid out otherwise.
  if (!ready) keep_ = py::module_::import("dovetail._arrays").attr("as_points")(keep_, name);
  if (py::isinstance<PointCloud>(keep_)) {
    cloud_ = keep_.cast<const PointCloud*>();
    view_ = PointsView(*cloud_);
  } else if (py::isinstance<py::array>(keep_)) {
    look_at(py::reinterpret_borrow<py::array>(keep_));
  } else {
    look_at_device(keep_, name);
  }
}

void PointsArgument::look_at(const py::array& array) {
  view_.data = array.data();
  view_.count = static_cast<std::size_t>(array.shape(0));
  view_.dimension = static_cast<int>(array.shape(1));
  view_.stride = view_.count < 2 ? 0 : static_cast<std::size_t>(array.strides(0) / float_size(array));
  view_.precision = float_size(array) == sizeof(float) ? Precision::float32 : Precision::float64;
}

void PointsArgument::look_at_device(const py::object& object, const char* name) {
  const DeviceArray array = device_array(object, name);
  view_.data = array.data;
  view_.count = array.rows;
  view_.dimension = static_cast<int>(array.columns);
  view_.stride = array.stride;
  view_.precision = array.is_double ? Precision::float64 : Precision::float32;
  view_.on_device = true;
}

void PointsArgument::set_normals(const py::handle& normals, const char* name) {
  if (normals.is_none()) return;
  if (view_.on_device) {
    keep_normals_ = py::reinterpret_borrow<py::object>(normals);
    const DeviceArray array = device_array(keep_normals_, name);
    if (array.is_double || array.columns != 3 || array.rows != view_.count || (array.stride != 3 && array.rows > 1)) {
      throw InvalidArgument(std::string(name) +
                            ": normals beside points in a GPU's memory have to be there too, one "
                            "each: contiguous float32 of shape (" +
                            std::to_string(view_.count) + ", 3)");
    }
    view_.normals = static_cast<const float*>(array.data);
    return;
  }
  const py::module_ arrays = py::module_::import("dovetail._arrays");
  const py::array array = arrays.attr("as_normals")(normals, view_.count, name);
  keep_normals_ = array;
  view_.normals = static_cast<const float*>(array.data());
}

const PointCloud& PointsArgument::cloud() {
  if (cloud_ != nullptr) return *cloud_;
  if (view_.on_device) {
    throw InvalidArgument(name_ +
                          ": the points are in a GPU's memory, and this function works on the "
                          "host's; copy them with .cpu() or .get()");
  }
  own_ = std::make_shared<PointCloud>();
  own_->dimension = view_.dimension;
  own_->precision = view_.precision;
  own_->positions.resize(view_.count);
  const auto copy = [&](const auto* numbers) {
    const std::size_t stride = view_.stride_bytes() / sizeof(*numbers);
    for (std::size_t i = 0; i < view_.count; ++i) {
      for (int k = 0; k < view_.dimension; ++k) {
        own_->positions[i][k] = static_cast<double>(numbers[i * stride + static_cast<std::size_t>(k)]);
      }
    }
  };
  if (view_.precision == Precision::float32) {
    copy(static_cast<const float*>(view_.data));
  } else {
    copy(static_cast<const double*>(view_.data));
  }
  cloud_ = own_.get();
  return *cloud_;
}

}  // namespace dovetail::python
