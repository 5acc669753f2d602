// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/random.h"
#include "core/symmetric.h"
#include "dovetail/matrix.h"

namespace dovetail::test {

inline constexpr double pi = std::numbers::pi;
inline constexpr double eps = std::numeric_limits<double>::epsilon();

/// The largest absolute entry; infinite where an entry is not finite, so that no comparison passes on a NaN.
template <class T, int R, int C>
double largest_entry(const Matrix<T, R, C>& m) {
  double largest = 0.0;
  for (T x : m.data) {
    if (!std::isfinite(x)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::fabs(static_cast<double>(x)));
  }
  return largest;
}

template <class T, int R, int C>
double difference(const Matrix<T, R, C>& a, const Matrix<T, R, C>& b) {
  return largest_entry(a - b);
}

template <int R, int C>
Matrix<double, R, C> random_matrix(RandomStream& random) {
  Matrix<double, R, C> m{};
  for (double& x : m.data) x = random.normal();
  return m;
}

template <int N>
Vector<double, N> random_vector(RandomStream& random) {
  return random_matrix<N, 1>(random);
}

/// A rotation by `angle` about a random axis.
inline Mat3 rotation_by(double angle, RandomStream& random) { return exp_so3(angle * random.unit_vector()); }

/// How far a matrix is from orthogonal with determinant one.
inline double rotation_defect(const Mat3& r) {
  const Vec3 x = {r(0, 0), r(0, 1), r(0, 2)}, y = {r(1, 0), r(1, 1), r(1, 2)}, z = {r(2, 0), r(2, 1), r(2, 2)};
  return std::max(difference(transpose(r) * r, Mat3::identity()), std::fabs(dot(cross(x, y), z) - 1.0));
}

}  // namespace dovetail::test
