// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/numpy.h>

#include <optional>

#include "dovetail/points.h"

// The arrays of a cloud as NumPy sees them, without copying: read-only, and alive as long as somebody holds them.

namespace dovetail::python {

namespace py = pybind11;

py::array_t<double> points_array(const py::object& cloud);
std::optional<py::array_t<float>> normals_array(const py::object& cloud);
std::optional<py::array_t<std::uint8_t>> colors_array(const py::object& cloud);
/// A copy: polygons are told as fans of triangles.
std::optional<py::array_t<std::uint32_t>> faces_array(const PointCloud& cloud);
py::dict attributes_dict(const py::object& cloud);

/// The other way round. None sets nothing; throws InvalidArgument for what does not fit the points.
void set_normals(PointCloud& cloud, const py::object& normals);
void set_colors(PointCloud& cloud, const py::object& colors);
void set_faces(PointCloud& cloud, const py::object& faces);
void set_attributes(PointCloud& cloud, const py::object& attributes);

/// Polygons as they are, for pickle.
py::tuple faces_state(const PointCloud& cloud);
void set_faces_state(PointCloud& cloud, const py::tuple& state);

}  // namespace dovetail::python
