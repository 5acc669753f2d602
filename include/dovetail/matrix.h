// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstddef>

#include "dovetail/host_device.h"

namespace dovetail {

/// A small dense matrix with its size in the type: row-major, trivially copyable, usable in GPU code.
/// It is an aggregate: `Vec3{1, 2, 3}`, `Mat3{1, 0, 0, 0, 1, 0, 0, 0, 1}`.
/// dovetail/eigen.h converts to and from Eigen for those who use it.
template <class T, int Rows, int Cols>
struct Matrix {
  T data[Rows * Cols];

  static constexpr int rows = Rows;
  static constexpr int cols = Cols;
  static constexpr int size = Rows * Cols;

  DOVETAIL_HD static constexpr Matrix zero() { return Matrix{}; }
  DOVETAIL_HD static constexpr Matrix identity() {
    static_assert(Rows == Cols, "identity needs a square matrix");
    Matrix m{};
    for (int i = 0; i < Rows; ++i) m(i, i) = T(1);
    return m;
  }

  DOVETAIL_HD constexpr T& operator()(int row, int col) { return data[row * Cols + col]; }
  DOVETAIL_HD constexpr const T& operator()(int row, int col) const { return data[row * Cols + col]; }
  DOVETAIL_HD constexpr T& operator[](int i) { return data[i]; }
  DOVETAIL_HD constexpr const T& operator[](int i) const { return data[i]; }

  DOVETAIL_HD constexpr Matrix& operator+=(const Matrix& o) {
    for (int i = 0; i < size; ++i) data[i] += o.data[i];
    return *this;
  }
  DOVETAIL_HD constexpr Matrix& operator-=(const Matrix& o) {
    for (int i = 0; i < size; ++i) data[i] -= o.data[i];
    return *this;
  }
  DOVETAIL_HD constexpr Matrix& operator*=(T s) {
    for (int i = 0; i < size; ++i) data[i] *= s;
    return *this;
  }

  /// The same matrix with another number type.
  template <class U>
  DOVETAIL_HD constexpr Matrix<U, Rows, Cols> cast() const {
    Matrix<U, Rows, Cols> m{};
    for (int i = 0; i < size; ++i) m.data[i] = static_cast<U>(data[i]);
    return m;
  }

  friend constexpr bool operator==(const Matrix&, const Matrix&) = default;
};

template <class T, int N>
using Vector = Matrix<T, N, 1>;

using Vec2 = Vector<double, 2>;
using Vec3 = Vector<double, 3>;
using Vec3f = Vector<float, 3>;
using Mat2 = Matrix<double, 2, 2>;
using Mat3 = Matrix<double, 3, 3>;
using Mat4 = Matrix<double, 4, 4>;

template <class T, int R, int C>
DOVETAIL_HD constexpr Matrix<T, R, C> operator+(Matrix<T, R, C> a, const Matrix<T, R, C>& b) {
  return a += b;
}
template <class T, int R, int C>
DOVETAIL_HD constexpr Matrix<T, R, C> operator-(Matrix<T, R, C> a, const Matrix<T, R, C>& b) {
  return a -= b;
}
template <class T, int R, int C>
DOVETAIL_HD constexpr Matrix<T, R, C> operator-(Matrix<T, R, C> a) {
  for (int i = 0; i < R * C; ++i) a.data[i] = -a.data[i];
  return a;
}
template <class T, int R, int C>
DOVETAIL_HD constexpr Matrix<T, R, C> operator*(T s, Matrix<T, R, C> a) {
  return a *= s;
}
template <class T, int R, int C>
DOVETAIL_HD constexpr Matrix<T, R, C> operator*(Matrix<T, R, C> a, T s) {
  return a *= s;
}
template <class T, int R, int K, int C>
DOVETAIL_HD constexpr Matrix<T, R, C> operator*(const Matrix<T, R, K>& a, const Matrix<T, K, C>& b) {
  Matrix<T, R, C> m{};
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j < C; ++j) {
      T sum = a(i, 0) * b(0, j);
      for (int k = 1; k < K; ++k) sum += a(i, k) * b(k, j);
      m(i, j) = sum;
    }
  }
  return m;
}

template <class T, int R, int C>
DOVETAIL_HD constexpr Matrix<T, C, R> transpose(const Matrix<T, R, C>& a) {
  Matrix<T, C, R> m{};
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j < C; ++j) m(j, i) = a(i, j);
  }
  return m;
}

template <class T, int N>
DOVETAIL_HD constexpr T dot(const Vector<T, N>& a, const Vector<T, N>& b) {
  T sum = a[0] * b[0];
  for (int i = 1; i < N; ++i) sum += a[i] * b[i];
  return sum;
}
template <class T, int N>
DOVETAIL_HD constexpr T squared_norm(const Vector<T, N>& a) {
  return dot(a, a);
}
template <class T, int N>
DOVETAIL_HD inline T norm(const Vector<T, N>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
template <class T>
DOVETAIL_HD constexpr Vector<T, 3> cross(const Vector<T, 3>& a, const Vector<T, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace dovetail
