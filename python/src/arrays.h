// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/numpy.h>

#include <optional>
#include <vector>

#include "dovetail/matrix.h"
#include "dovetail/transform.h"

// Small matrices and vectors to and from NumPy. Arrays that are returned are copies.

namespace dovetail::python {

namespace py = pybind11;
using DoubleArray = py::array_t<double>;

DoubleArray array_of(const Vec3& v);
DoubleArray array_of(const Mat3& m);
DoubleArray array_of(const Mat4& m);
/// Row-major numbers of a square matrix; nothing where there are none.
std::optional<DoubleArray> square_array(const std::vector<double>& numbers);

/// Three numbers from anything NumPy takes for that. Throws InvalidArgument that calls it by its name.
Vec3 vec3_from(const py::handle& value, const char* name);
/// A row of numbers.
std::vector<double> numbers_from(const py::handle& value, const char* name);

/// The homogeneous matrix: 4x4, or 3x3 in 2D.
DoubleArray matrix_of(const Transform& t);
/// Of transforms in 3D, (k, 4, 4).
DoubleArray matrices_of(const std::vector<Transform>& all);
/// The rotation in it (of an affine or projective one that of its polar decomposition), the shift, the uniform scale.
DoubleArray rotation_of(const Transform& t);
DoubleArray translation_of(const Transform& t);
double scale_of(const Transform& t);

}  // namespace dovetail::python
