// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "arrays.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "dovetail/error.h"
#include "dovetail/matrix_functions.h"
#include "shown.h"

namespace dovetail::python {
namespace {

template <int R, int C>
DoubleArray copied(const Matrix<double, R, C>& m) {
  DoubleArray array(C == 1 ? std::vector<py::ssize_t>{R} : std::vector<py::ssize_t>{R, C});
  std::copy(std::begin(m.data), std::end(m.data), array.mutable_data());
  return array;
}

/// The linear part of a transform at its origin; in 2D with a third axis that stays.
Mat3 linear_of(const Transform& t) {
  Mat3 linear = Mat3::identity();
  if (dimension(t.model) == 2) {
    const Mat2 part = Projective2{t.matrix2()}.affine_part().linear;
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) linear(i, j) = part(i, j);
    }
    return linear;
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) linear(i, j) = t.matrix(i, j);
  }
  return linear;
}

py::array_t<double, py::array::c_style | py::array::forcecast> doubles_from(const py::handle& value, const char* name) {
  auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(value);
  if (!array) {
    PyErr_Clear();
    throw InvalidArgument(std::string(name) + ": " + shown(value) + " is no array of numbers");
  }
  return array;
}

}  // namespace

DoubleArray array_of(const Vec3& v) { return copied(v); }
DoubleArray array_of(const Mat3& m) { return copied(m); }
DoubleArray array_of(const Mat4& m) { return copied(m); }

std::optional<DoubleArray> square_array(const std::vector<double>& numbers) {
  if (numbers.empty()) return std::nullopt;
  const auto size = static_cast<py::ssize_t>(std::lround(std::sqrt(static_cast<double>(numbers.size()))));
  DoubleArray array({size, size});
  std::copy(numbers.begin(), numbers.end(), array.mutable_data());
  return array;
}

Vec3 vec3_from(const py::handle& value, const char* name) {
  const auto array = doubles_from(value, name);
  if (array.size() != 3) {
    throw InvalidArgument(std::string(name) + ": " + shown(value) +
                          " is not allowed; allowed: three "
                          "numbers x, y, z");
  }
  return {array.data()[0], array.data()[1], array.data()[2]};
}

std::vector<double> numbers_from(const py::handle& value, const char* name) {
  const auto array = doubles_from(value, name);
  return {array.data(), array.data() + array.size()};
}

DoubleArray matrix_of(const Transform& t) {
  return dimension(t.model) == 2 ? array_of(t.matrix2()) : array_of(t.matrix);
}

DoubleArray matrices_of(const std::vector<Transform>& all) {
  DoubleArray matrices({static_cast<py::ssize_t>(all.size()), py::ssize_t{4}, py::ssize_t{4}});
  double* at = matrices.mutable_data();
  for (const Transform& t : all) at = std::copy(std::begin(t.matrix.data), std::end(t.matrix.data), at);
  return matrices;
}

DoubleArray rotation_of(const Transform& t) {
  const Mat3 rotation = polar_rotation(linear_of(t));
  if (dimension(t.model) == 3) return array_of(rotation);
  return copied(Mat2{rotation(0, 0), rotation(0, 1), rotation(1, 0), rotation(1, 1)});
}

DoubleArray translation_of(const Transform& t) {
  if (dimension(t.model) == 3) return copied(Vec3{t.matrix(0, 3), t.matrix(1, 3), t.matrix(2, 3)});
  return copied(Vec2{t.matrix(0, 3) / t.matrix(3, 3), t.matrix(1, 3) / t.matrix(3, 3)});
}

double scale_of(const Transform& t) {
  const double volume = std::fabs(determinant(linear_of(t)));
  return dimension(t.model) == 2 ? std::sqrt(volume) : std::cbrt(volume);
}

}  // namespace dovetail::python
