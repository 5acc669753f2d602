// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>

#include "dovetail/matrix.h"

namespace dovetail {

/// The largest absolute row sum: a norm that bounds the others within the matrix's size.
template <class T, int N>
DOVETAIL_HD inline T row_sum_norm(const Matrix<T, N, N>& a) {
  T largest = T(0);
  for (int i = 0; i < N; ++i) {
    T sum = T(0);
    for (int j = 0; j < N; ++j) sum += std::fabs(a(i, j));
    if (!(sum <= largest)) largest = sum;  // written so that a NaN comes through
  }
  return largest;
}

template <class T>
DOVETAIL_HD constexpr T determinant(const Matrix<T, 2, 2>& a) {
  return a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
}
template <class T>
DOVETAIL_HD constexpr T determinant(const Matrix<T, 3, 3>& a) {
  return a(0, 0) * (a(1, 1) * a(2, 2) - a(1, 2) * a(2, 1)) - a(0, 1) * (a(1, 0) * a(2, 2) - a(1, 2) * a(2, 0)) +
         a(0, 2) * (a(1, 0) * a(2, 1) - a(1, 1) * a(2, 0));
}

/// x with a x = b for one or several right-hand sides: elimination with row exchanges. A singular matrix gives
/// non-finite numbers.
template <class T, int N, int M>
DOVETAIL_HD inline Matrix<T, N, M> solve_linear(Matrix<T, N, N> a, Matrix<T, N, M> b) {
  for (int k = 0; k < N; ++k) {
    int pivot = k;
    for (int i = k + 1; i < N; ++i) {
      if (std::fabs(a(i, k)) > std::fabs(a(pivot, k))) pivot = i;
    }
    for (int j = 0; j < N; ++j) {
      const T keep = a(k, j);
      a(k, j) = a(pivot, j), a(pivot, j) = keep;
    }
    for (int j = 0; j < M; ++j) {
      const T keep = b(k, j);
      b(k, j) = b(pivot, j), b(pivot, j) = keep;
    }
    for (int i = 0; i < N; ++i) {
      if (i == k) continue;
      const T factor = a(i, k) / a(k, k);
      for (int j = k; j < N; ++j) a(i, j) -= factor * a(k, j);
      for (int j = 0; j < M; ++j) b(i, j) -= factor * b(k, j);
    }
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < M; ++j) b(i, j) /= a(i, i);
  }
  return b;
}

template <class T, int N>
DOVETAIL_HD inline Matrix<T, N, N> inverse(const Matrix<T, N, N>& a) {
  return solve_linear(a, Matrix<T, N, N>::identity());
}

/// exp(a), and phi(a) = a^-1 (exp(a) - 1) = integral of exp(u a) over u in [0, 1], which carries translations.
template <class T, int N>
struct MatrixExponential {
  Matrix<T, N, N> exp;
  Matrix<T, N, N> phi;
};

/// Halves `a` until its norm is below 1/2, sums the series of phi, and doubles back:
/// phi(2a) = (exp(a) + 1) phi(a) / 2, exp(a) = 1 + a phi(a). No case for small angles is needed.
template <class T, int N>
DOVETAIL_HD inline MatrixExponential<T, N> matrix_exponential(Matrix<T, N, N> a) {
  using M = Matrix<T, N, N>;
  int halvings = 0;
  while (row_sum_norm(a) > T(0.5) && halvings < 64) a *= T(0.5), ++halvings;
  // Horner form of 1 + a/2! + a^2/3! + ...: the first term left out is 0.5^14 / 15! = 5e-17.
  M phi = M::identity();
  for (int k = 14; k >= 2; --k) phi = M::identity() + (T(1) / T(k)) * (a * phi);
  for (int k = 0; k < halvings; ++k) {
    phi += T(0.5) * (a * phi * phi);  // (exp + 1) phi / 2 = phi + a phi phi / 2
    a *= T(2);
  }
  return {M::identity() + a * phi, phi};
}

/// The rotation nearest to `a` (the orthogonal factor of its polar decomposition) for det a > 0, by Newton's iteration
/// x <- (g x + x^-T / g) / 2 with Higham's scaling g. Reflections stay reflections; singular input gives NaN.
template <class T, int N>
DOVETAIL_HD inline Matrix<T, N, N> polar_rotation(Matrix<T, N, N> x) {
  for (int iteration = 0; iteration < 40; ++iteration) {
    const Matrix<T, N, N> y = transpose(inverse(x));
    const T scale = std::sqrt(
        std::sqrt(row_sum_norm(y) * row_sum_norm(transpose(y)) / (row_sum_norm(x) * row_sum_norm(transpose(x)))));
    const T g = iteration < 12 ? scale : T(1);  // unscaled at the end, where convergence is quadratic
    const Matrix<T, N, N> next = (T(0.5) * g) * x + (T(0.5) / g) * y;
    const T change = row_sum_norm(next - x);
    x = next;
    if (!(change > T(1e-15))) break;
  }
  return x;
}

/// log of a symmetric positive definite matrix: square roots (Denman and Beavers' iteration, which always converges on
/// these) until it is near 1, then log a = 2 artanh((a - 1)(a + 1)^-1), and doubling back.
template <class T, int N>
DOVETAIL_HD inline Matrix<T, N, N> log_positive_definite(Matrix<T, N, N> a) {
  using M = Matrix<T, N, N>;
  T factor = T(2);
  for (int root = 0; root < 40 && row_sum_norm(a - M::identity()) > T(0.25); ++root) {
    M y = a, z = M::identity();
    for (int iteration = 0; iteration < 60; ++iteration) {
      const M next_y = T(0.5) * (y + inverse(z));
      z = T(0.5) * (z + inverse(y));
      const T change = row_sum_norm(next_y - y);
      y = next_y;
      if (!(change > T(1e-15) * row_sum_norm(y))) break;
    }
    a = T(0.5) * (y + transpose(y));
    factor *= T(2);
  }
  const M x = (a - M::identity()) * inverse(a + M::identity());
  const M square = x * x;
  M sum = (T(1) / T(21)) * M::identity();  // |x| < 1/7, so x^22 is far below one unit in the last place
  for (int k = 19; k >= 1; k -= 2) sum = (T(1) / T(k)) * M::identity() + square * sum;
  return factor * (x * sum);
}

}  // namespace dovetail
