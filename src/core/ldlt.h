// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <limits>
#include <utility>

#include "core/eigen_symmetric.h"

namespace dovetail {

/// a = S P^T L D L^T P S for a symmetric positive semidefinite a: S takes the units out (unit diagonal), P is a
/// symmetric permutation with the largest remaining pivot first. Pivots then lie in (0, 1] and do not depend on the
/// units of the unknowns.
template <class T, int N>
struct Ldlt {
  Matrix<T, N, N> lower;  ///< unit lower triangular, in pivot order
  Vector<T, N> pivot;     ///< D, descending; zero beyond `rank`
  Vector<T, N> scale;     ///< 1 / sqrt(a_ii), zero where a_ii is not positive
  int position[N];        ///< position[k]: the unknown that pivot k stands for
  int rank;               ///< pivots above the tolerance

  /// Smallest pivot used: 1 is uncorrelated unknowns, near zero is nearly singular; 0 where the rank is not full.
  DOVETAIL_HD constexpr T health() const { return rank == N ? pivot[N - 1] : T(0); }

  /// x with a x = b. Unknowns beyond the rank stay zero, the others solve their own equations.
  DOVETAIL_HD constexpr Vector<T, N> solve(const Vector<T, N>& b) const {
    Vector<T, N> y{}, x{};  // y stays zero beyond the rank; loops run to N, which is known and unrolls
    for (int i = 0; i < N; ++i) {
      if (i >= rank) break;
      y[i] = scale[position[i]] * b[position[i]];
      for (int j = 0; j < i; ++j) y[i] -= lower(i, j) * y[j];
    }
    for (int i = 0; i < N; ++i) {
      if (i < rank) y[i] /= pivot[i];
    }
    for (int i = N - 1; i >= 0; --i) {
      if (i >= rank) continue;
      for (int j = i + 1; j < N; ++j) y[i] -= lower(j, i) * y[j];
    }
    for (int i = 0; i < N; ++i) x[position[i]] = scale[position[i]] * y[i];
    return x;
  }
  /// a^-1; rows and columns of unknowns beyond the rank are zero.
  DOVETAIL_HD constexpr Symmetric<T, N> inverse() const {
    Matrix<T, N, N> m{};
    for (int j = 0; j < N; ++j) {
      Vector<T, N> unit{};
      unit[j] = T(1);
      const Vector<T, N> column = solve(unit);
      for (int i = 0; i < N; ++i) m(i, j) = column[i];
    }
    for (int k = rank; k < N; ++k) {
      for (int i = 0; i < N; ++i) m(i, position[k]) = m(position[k], i) = T(0);
    }
    return Symmetric<T, N>::from_matrix(m);
  }
};

/// Bit i of a mask enables unknown i.
DOVETAIL_HD constexpr unsigned all_unknowns(int n) { return (1u << n) - 1u; }

/// Factors `a` with the unknowns outside `mask` left out as if they did not exist. Pivots not above `tolerance` (of the
/// unit diagonal) count as zero; the default is the rounding error of forming such a pivot.
template <class T, int N>
DOVETAIL_HD inline Ldlt<T, N> ldlt(const Symmetric<T, N>& a, unsigned mask = all_unknowns(N),
                                   T tolerance = T(8 * N) * std::numeric_limits<T>::epsilon()) {
  Ldlt<T, N> f{};
  Matrix<T, N, N> m{};
  for (int i = 0; i < N; ++i) {
    f.position[i] = i;
    const T diagonal = a(i, i);
    const bool used = (mask >> i & 1u) != 0 && diagonal > T(0) && diagonal <= std::numeric_limits<T>::max();
    f.scale[i] = used ? T(1) / std::sqrt(diagonal) : T(0);
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      m(i, j) = f.scale[i] > T(0) && f.scale[j] > T(0) ? f.scale[i] * a(i, j) * f.scale[j] : T(0);
    }
    // Exactly one, so that rounding does not choose among equal pivots and the order does not depend on units.
    if (f.scale[i] > T(0)) m(i, i) = T(1);
  }
  for (int k = 0; k < N; ++k) {
    int best = k;
    for (int i = k + 1; i < N; ++i) {
      if (m(i, i) > m(best, best)) best = i;
    }
    if (!(m(best, best) > tolerance)) break;
    if (best != k) {
      for (int j = 0; j < N; ++j) std::swap(m(k, j), m(best, j));
      for (int j = 0; j < N; ++j) std::swap(m(j, k), m(j, best));
      for (int j = 0; j < k; ++j) std::swap(f.lower(k, j), f.lower(best, j));
      std::swap(f.position[k], f.position[best]);
    }
    f.pivot[k] = m(k, k);
    f.lower(k, k) = T(1);
    for (int i = k + 1; i < N; ++i) f.lower(i, k) = m(i, k) / m(k, k);
    for (int i = k + 1; i < N; ++i) {
      for (int j = k + 1; j < N; ++j) m(i, j) -= f.lower(i, k) * m(k, j);
    }
    f.rank = k + 1;
  }
  return f;
}

/// A step and how well it was determined.
template <class T, int N>
struct MaskedSolution {
  Vector<T, N> x;  ///< zero for unknowns outside the mask
  int rank;        ///< unknowns that were solved for
  T health;        ///< smallest pivot among them; 0 where the rank is below the number of enabled unknowns

  DOVETAIL_HD constexpr bool full_rank() const { return health > T(0); }
};

/// Solves a x = b for the unknowns in `mask`; the others are held at zero.
template <class T, int N>
DOVETAIL_HD inline MaskedSolution<T, N> solve_masked(const Symmetric<T, N>& a, const Vector<T, N>& b, unsigned mask) {
  const Ldlt<T, N> f = ldlt(a, mask);
  int enabled = 0;
  for (int i = 0; i < N; ++i) enabled += static_cast<int>(mask >> i & 1u);
  return {f.solve(b), f.rank, f.rank == enabled && enabled > 0 ? f.pivot[f.rank - 1] : T(0)};
}

}  // namespace dovetail
