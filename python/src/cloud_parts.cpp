// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "cloud_parts.h"

#include <pybind11/stl.h>

#include <cstring>
#include <string>

#include "dovetail/error.h"
#include "shown.h"

namespace dovetail::python {
namespace {

using Size = py::ssize_t;

/// Numbers that belong to the cloud, as an array of rows.
template <class Number>
py::array_t<Number> look_at(const py::object& owner, const Number* first, std::size_t rows, int columns,
                            std::size_t stride) {
  const auto size = static_cast<Size>(sizeof(Number));
  py::array_t<Number> array({static_cast<Size>(rows), static_cast<Size>(columns)},
                            {static_cast<Size>(stride) * size, size}, first, owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

[[noreturn]] void refuse(const std::string& name, const py::handle& array, std::size_t points, const char* allowed) {
  const std::string shape = py::hasattr(array, "shape") ? std::string(py::str(array.attr("shape"))) : shown(array);
  throw InvalidArgument(name + ": " + shape + " for " + std::to_string(points) +
                        " points is not allowed; allowed: " + allowed);
}

template <class Number>
py::array_t<Number, py::array::c_style | py::array::forcecast> rows_from(const py::object& given, const char* name,
                                                                         std::size_t points, const char* allowed) {
  auto array = py::array_t<Number, py::array::c_style | py::array::forcecast>::ensure(given);
  if (!array) PyErr_Clear();
  if (!array || array.ndim() != 2) refuse(name, given, points, allowed);
  return array;
}

template <class Number>
bool set_values(Attribute& attribute, const py::array& array) {
  if (!py::isinstance<py::array_t<Number>>(array)) return false;
  const auto* const first = static_cast<const Number*>(array.data());
  attribute.values = std::vector<Number>(first, first + array.size());
  return true;
}

template <class... Numbers>
bool set_any(Attribute& attribute, const py::array& array) {
  return (set_values<Numbers>(attribute, array) || ...);
}

}  // namespace

py::array_t<double> points_array(const py::object& self) {
  const auto& cloud = self.cast<const PointCloud&>();
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  const double* const first = cloud.empty() ? nullptr : &cloud.positions.front()[0];
  return look_at(self, first, cloud.size(), cloud.dimension, 3);
}

std::optional<py::array_t<float>> normals_array(const py::object& self) {
  const auto& cloud = self.cast<const PointCloud&>();
  if (cloud.normals.empty()) return std::nullopt;
  return look_at(self, &cloud.normals.front()[0], cloud.size(), 3, 3);
}

std::optional<py::array_t<std::uint8_t>> colors_array(const py::object& self) {
  const auto& cloud = self.cast<const PointCloud&>();
  if (cloud.colors.empty()) return std::nullopt;
  return look_at(self, cloud.colors.front().data(), cloud.size(), cloud.has_alpha ? 4 : 3, 4);
}

std::optional<py::array_t<std::uint32_t>> faces_array(const PointCloud& cloud) {
  if (cloud.faces.empty()) return std::nullopt;
  std::vector<std::uint32_t> corners;
  for (std::size_t i = 0; i < cloud.faces.size(); ++i) {
    for (std::uint32_t k = cloud.faces.start[i] + 2; k < cloud.faces.start[i + 1]; ++k) {
      corners.insert(corners.end(),
                     {cloud.faces.index[cloud.faces.start[i]], cloud.faces.index[k - 1], cloud.faces.index[k]});
    }
  }
  py::array_t<std::uint32_t> array({static_cast<Size>(corners.size() / 3), Size{3}});
  std::copy(corners.begin(), corners.end(), array.mutable_data());
  return array;
}

py::dict attributes_dict(const py::object& self) {
  py::dict all;
  for (const Attribute& attribute : self.cast<const PointCloud&>().attributes) {
    std::visit(
        [&](const auto& values) {
          const std::size_t columns = static_cast<std::size_t>(attribute.components);
          py::object array = look_at(self, values.data(), values.size() / columns, attribute.components, columns);
          if (attribute.components == 1) array = array.attr("reshape")(-1);
          all[py::str(attribute.name)] = array;
        },
        attribute.values);
  }
  return all;
}

void set_normals(PointCloud& cloud, const py::object& normals) {
  if (normals.is_none()) return;
  const char* const allowed = "(n, 3), one for each point";
  const auto array = rows_from<float>(normals, "normals", cloud.size(), allowed);
  if (array.shape(1) != 3 || static_cast<std::size_t>(array.shape(0)) != cloud.size()) {
    refuse("normals", normals, cloud.size(), allowed);
  }
  cloud.normals.resize(cloud.size());
  if (!cloud.empty()) std::memcpy(cloud.normals.data(), array.data(), cloud.size() * sizeof(Vec3f));
}

void set_colors(PointCloud& cloud, const py::object& colors) {
  if (colors.is_none()) return;
  const char* const allowed = "(n, 3) or (n, 4) whole numbers from 0 to 255, a row for each point";
  const auto array = rows_from<std::int64_t>(colors, "colors", cloud.size(), allowed);
  const Size channels = array.shape(1);
  const std::string kind = py::str(py::module_::import("numpy").attr("asarray")(colors).attr("dtype").attr("kind"));
  if ((channels != 3 && channels != 4) || static_cast<std::size_t>(array.shape(0)) != cloud.size() ||
      (kind != "u" && kind != "i")) {
    refuse("colors", colors, cloud.size(), allowed);
  }
  cloud.has_alpha = channels == 4;
  cloud.colors.assign(cloud.size(), {0, 0, 0, 255});
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    for (Size k = 0; k < channels; ++k) {
      const std::int64_t value = array.at(static_cast<Size>(i), k);
      if (value < 0 || value > 255) {
        throw InvalidArgument("colors: " + std::to_string(value) + " is not allowed; allowed: 0 to 255");
      }
      cloud.colors[i][static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(value);
    }
  }
}

void set_faces(PointCloud& cloud, const py::object& faces) {
  if (faces.is_none()) return;
  const char* const allowed = "(m, 3) indices of corners";
  const auto array = rows_from<std::int64_t>(faces, "faces", cloud.size(), allowed);
  if (array.shape(1) < 3) refuse("faces", faces, cloud.size(), allowed);
  for (Size i = 0; i < array.shape(0); ++i) {
    for (Size k = 0; k < array.shape(1); ++k) {
      const std::int64_t corner = array.at(i, k);
      if (corner < 0 || corner >= static_cast<std::int64_t>(cloud.size())) {
        throw InvalidArgument("faces: corner " + std::to_string(corner) + " is none of the " +
                              std::to_string(cloud.size()) + " points, which count from 0");
      }
      cloud.faces.index.push_back(static_cast<std::uint32_t>(corner));
    }
    cloud.faces.start.push_back(static_cast<std::uint32_t>(cloud.faces.index.size()));
  }
}

void set_attributes(PointCloud& cloud, const py::object& attributes) {
  if (attributes.is_none()) return;
  for (const auto& [key, value] : attributes.cast<py::dict>()) {
    const py::array array = py::array::ensure(value, py::array::c_style);
    if (!array) throw py::error_already_set();
    Attribute attribute;
    attribute.name = key.cast<std::string>();
    const bool fits =
        (array.ndim() == 1 || array.ndim() == 2) && static_cast<std::size_t>(array.shape(0)) == cloud.size();
    attribute.components = array.ndim() == 2 ? static_cast<int>(array.shape(1)) : 1;
    if (!fits || attribute.components < 1 ||
        !set_any<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                 std::uint64_t, float, double>(attribute, array)) {
      refuse("attribute " + attribute.name, array, cloud.size(), "(n,) or (n, k) whole numbers, float32 or float64");
    }
    cloud.attributes.push_back(std::move(attribute));
  }
}

py::tuple faces_state(const PointCloud& cloud) { return py::make_tuple(cloud.faces.start, cloud.faces.index); }

void set_faces_state(PointCloud& cloud, const py::tuple& state) {
  cloud.faces.start = state[0].cast<std::vector<std::uint32_t>>();
  cloud.faces.index = state[1].cast<std::vector<std::uint32_t>>();
}

}  // namespace dovetail::python
