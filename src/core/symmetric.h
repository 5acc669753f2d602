// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/matrix.h"

namespace dovetail {

/// A symmetric matrix as its packed upper triangle, row by row: (0,0) (0,1) .. (0,N-1) (1,1) ..
template <class T, int N>
struct Symmetric {
  static constexpr int order = N;
  static constexpr int size = N * (N + 1) / 2;
  T data[size];

  DOVETAIL_HD static constexpr int index(int i, int j) {
    return i <= j ? i * N - i * (i - 1) / 2 + (j - i) : index_of_lower(i, j);
  }
  DOVETAIL_HD static constexpr Symmetric zero() { return Symmetric{}; }
  DOVETAIL_HD static constexpr Symmetric identity() {
    Symmetric s{};
    for (int i = 0; i < N; ++i) s(i, i) = T(1);
    return s;
  }
  /// The symmetric part (m + m^T) / 2.
  DOVETAIL_HD static constexpr Symmetric from_matrix(const Matrix<T, N, N>& m) {
    Symmetric s{};
    for (int i = 0; i < N; ++i) {
      s(i, i) = m(i, i);
      for (int j = i + 1; j < N; ++j) s(i, j) = T(0.5) * m(i, j) + T(0.5) * m(j, i);
    }
    return s;
  }

  DOVETAIL_HD constexpr T& operator()(int i, int j) { return data[index(i, j)]; }
  DOVETAIL_HD constexpr const T& operator()(int i, int j) const { return data[index(i, j)]; }

  DOVETAIL_HD constexpr Symmetric& operator+=(const Symmetric& o) {
    for (int i = 0; i < size; ++i) data[i] += o.data[i];
    return *this;
  }
  DOVETAIL_HD constexpr Symmetric& operator-=(const Symmetric& o) {
    for (int i = 0; i < size; ++i) data[i] -= o.data[i];
    return *this;
  }
  DOVETAIL_HD constexpr Symmetric& operator*=(T s) {
    for (int i = 0; i < size; ++i) data[i] *= s;
    return *this;
  }
  /// this += w v v^T
  DOVETAIL_HD constexpr Symmetric& add_outer(T w, const Vector<T, N>& v) {
    int k = 0;
    for (int i = 0; i < N; ++i) {
      const T wv = w * v[i];
      for (int j = i; j < N; ++j, ++k) data[k] += wv * v[j];
    }
    return *this;
  }

  DOVETAIL_HD constexpr T trace() const {
    T sum = data[0];
    for (int i = 1; i < N; ++i) sum += data[index(i, i)];
    return sum;
  }
  DOVETAIL_HD constexpr Matrix<T, N, N> to_matrix() const {
    Matrix<T, N, N> m{};
    for (int i = 0; i < N; ++i) {
      for (int j = i; j < N; ++j) m(i, j) = m(j, i) = data[index(i, j)];
    }
    return m;
  }

  friend constexpr bool operator==(const Symmetric&, const Symmetric&) = default;

 private:
  DOVETAIL_HD static constexpr int index_of_lower(int i, int j) { return j * N - j * (j - 1) / 2 + (i - j); }
};

template <class T, int N>
DOVETAIL_HD constexpr Vector<T, N> operator*(const Symmetric<T, N>& s, const Vector<T, N>& v) {
  Vector<T, N> r{};
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) r[i] += s(i, j) * v[j];
  }
  return r;
}

/// a s a^T, in packed form.
template <class T, int N, int M>
DOVETAIL_HD constexpr Symmetric<T, M> congruence(const Matrix<T, M, N>& a, const Symmetric<T, N>& s) {
  const Matrix<T, M, N> as = a * s.to_matrix();
  Symmetric<T, M> r{};
  for (int i = 0; i < M; ++i) {
    for (int j = i; j < M; ++j) {
      for (int k = 0; k < N; ++k) r(i, j) += as(i, k) * a(j, k);
    }
  }
  return r;
}

}  // namespace dovetail
