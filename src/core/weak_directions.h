// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "core/ldlt.h"

namespace dovetail {

/// A solution of a x = b that does not move along directions the equations leave (nearly) free.
template <class T, int N>
struct TruncatedSolution {
  Vector<T, N> x;
  Vector<T, N> eigenvalues;  ///< of the matrix in the caller's units, ascending
  Matrix<T, N, N> vectors;   ///< columns: unit eigenvectors in those units
  unsigned weak;             ///< bit k: eigenvector k is a weak direction
  int rank;                  ///< directions that were solved for

  DOVETAIL_HD constexpr int weak_count() const {
    int count = 0;
    for (int k = 0; k < N; ++k) count += static_cast<int>(weak >> k & 1u);
    return count;
  }
};

/// Solves a x = b in the span of the eigenvectors whose eigenvalue exceeds `tolerance` times the largest; reports the
/// others as weak. Unknowns of different kinds (radians, metres) need a common measure: `units[i]` is the amount of
/// unknown i that counts as much as one unit of any other, e.g. 1 / radius for rotations beside 1 for translations.
/// Eigenvectors refer to y with x_i = units[i] y_i. Unknowns outside `mask` stay at zero and are never reported.
template <class T, int N>
DOVETAIL_HD inline TruncatedSolution<T, N> solve_truncated(const Symmetric<T, N>& a, const Vector<T, N>& b, T tolerance,
                                                           const Vector<T, N>& units, unsigned mask = all_unknowns(N)) {
  Symmetric<T, N> scaled{};
  for (int i = 0; i < N; ++i) {
    for (int j = i; j < N; ++j) {
      const bool used = (mask >> i & 1u) != 0 && (mask >> j & 1u) != 0;
      scaled(i, j) = used ? units[i] * a(i, j) * units[j] : T(0);
    }
  }
  const SymmetricEigen<T, N> e = eigen_symmetric(scaled);
  TruncatedSolution<T, N> s{{}, e.values, e.vectors, 0u, 0};
  const T least = tolerance * e.values[N - 1];
  Vector<T, N> y{};
  for (int k = 0; k < N; ++k) {
    // Jacobi never turns an unknown whose row is zero, so a left-out unknown is exactly its own eigenvector.
    bool left_out = false;
    for (int i = 0; i < N; ++i) left_out = left_out || ((mask >> i & 1u) == 0 && e.vectors(i, k) != T(0));
    if (left_out) continue;
    if (!(e.values[k] > least) || !(e.values[k] > T(0))) {
      s.weak |= 1u << k;
      continue;
    }
    T along = T(0);
    for (int i = 0; i < N; ++i) along += e.vectors(i, k) * units[i] * b[i];
    along /= e.values[k];
    for (int i = 0; i < N; ++i) y[i] += along * e.vectors(i, k);
    ++s.rank;
  }
  for (int i = 0; i < N; ++i) s.x[i] = units[i] * y[i];
  return s;
}

/// The same where all unknowns share one unit.
template <class T, int N>
DOVETAIL_HD inline TruncatedSolution<T, N> solve_truncated(const Symmetric<T, N>& a, const Vector<T, N>& b,
                                                           T tolerance) {
  Vector<T, N> ones{};
  for (int i = 0; i < N; ++i) ones[i] = T(1);
  return solve_truncated(a, b, tolerance, ones);
}

}  // namespace dovetail
