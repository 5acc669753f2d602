// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

// The only header that needs Eigen, for those who use it. Nothing else in Dovetail includes it.
#include <Eigen/Core>
#include <Eigen/Geometry>

#include "dovetail/transform.h"

namespace dovetail {

/// A copy with the same entries, in Eigen's own storage order: to_eigen(Mat4), to_eigen(Vec3), ...
template <class T, int R, int C>
Eigen::Matrix<T, R, C> to_eigen(const Matrix<T, R, C>& m) {
  Eigen::Matrix<T, R, C> e;
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j < C; ++j) e(i, j) = m(i, j);
  }
  return e;
}

/// Any fixed-size Eigen expression: from_eigen(pose.matrix()), from_eigen(a * b).
template <class Derived>
auto from_eigen(const Eigen::MatrixBase<Derived>& expression) {
  constexpr int rows = Derived::RowsAtCompileTime, cols = Derived::ColsAtCompileTime;
  static_assert(rows > 0 && cols > 0, "from_eigen needs sizes known at compile time");
  const auto e = expression.eval();
  Matrix<typename Derived::Scalar, rows, cols> m{};
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) m(i, j) = e(i, j);
  }
  return m;
}

template <int D>
Eigen::Transform<double, D, Eigen::Isometry> to_eigen(const Rigid<D>& t) {
  return Eigen::Transform<double, D, Eigen::Isometry>(to_eigen(t.matrix()));
}
template <int D>
Eigen::Transform<double, D, Eigen::Affine> to_eigen(const Similarity<D>& t) {
  return Eigen::Transform<double, D, Eigen::Affine>(to_eigen(t.matrix()));
}
template <int D>
Eigen::Transform<double, D, Eigen::Affine> to_eigen(const Affine<D>& t) {
  return Eigen::Transform<double, D, Eigen::Affine>(to_eigen(t.matrix()));
}

/// Isometry2d, Isometry3d. Throws InvalidArgument where the matrix is no rigid transform.
template <int D, int Options>
Rigid<D> from_eigen(const Eigen::Transform<double, D, Eigen::Isometry, Options>& t) {
  return Rigid<D>::from_matrix(from_eigen(t.matrix()));
}
/// Affine2d, Affine3d.
template <int D, int Options>
Affine<D> from_eigen(const Eigen::Transform<double, D, Eigen::Affine, Options>& t) {
  return Affine<D>::from_matrix(from_eigen(t.matrix()));
}

}  // namespace dovetail
