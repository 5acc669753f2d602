// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "core/symmetric.h"

namespace dovetail {

/// a = vectors diag(values) vectors^T, values ascending; column k of `vectors` is the unit eigenvector of values[k].
template <class T, int N>
struct SymmetricEigen {
  Vector<T, N> values;
  Matrix<T, N, N> vectors;

  DOVETAIL_HD constexpr Vector<T, N> vector(int k) const {
    Vector<T, N> v{};
    for (int i = 0; i < N; ++i) v[i] = vectors(i, k);
    return v;
  }
};

namespace detail {

/// The rotation (c, s) that makes the off-diagonal of [[app, apq], [apq, aqq]] zero, by the smaller angle, and t = s /
/// c (Golub and Van Loan, symmetric 2x2 Schur decomposition).
template <class T>
struct JacobiRotation {
  T c, s, t;
  DOVETAIL_HD static JacobiRotation annihilating(T app, T aqq, T apq) {
    // An overflow of theta or of its square ends as t = 0, which is the right limit.
    const T theta = (aqq - app) / (T(2) * apq);
    const T t = (theta < T(0) ? T(-1) : T(1)) / (std::fabs(theta) + std::sqrt(theta * theta + T(1)));
    const T c = T(1) / std::sqrt(t * t + T(1));
    return {c, t * c, t};
  }
};

}  // namespace detail

/// Cyclic Jacobi. Scales by a power of two first, so that no square under- or overflows. At most 30 sweeps (six or
/// seven suffice at N = 8); non-finite input ends with non-finite output, not with an endless loop.
template <class T, int N>
DOVETAIL_HD inline SymmetricEigen<T, N> eigen_symmetric(const Symmetric<T, N>& input) {
  constexpr int max_sweeps = 30;
  Matrix<T, N, N> a = input.to_matrix();
  SymmetricEigen<T, N> e{{}, Matrix<T, N, N>::identity()};

  T largest = T(0);
  for (int i = 0; i < N * N; ++i) largest = std::fabs(a[i]) > largest ? std::fabs(a[i]) : largest;
  int exponent = 0;
  if (largest > T(0) && largest <= std::numeric_limits<T>::max()) std::frexp(largest, &exponent);
  for (int i = 0; i < N * N; ++i) a[i] = std::ldexp(a[i], -exponent);

  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    bool rotated = false;
    for (int p = 0; p < N - 1; ++p) {
      for (int q = p + 1; q < N; ++q) {
        const T apq = a(p, q);
        // Small against both diagonal entries: relative, so that small eigenvalues keep their digits.
        const T bound =
            std::numeric_limits<T>::epsilon() * T(0.125) * std::sqrt(std::fabs(a(p, p)) * std::fabs(a(q, q)));
        if (std::fabs(apq) <= bound || std::fabs(apq) < std::numeric_limits<T>::min()) {
          a(p, q) = a(q, p) = T(0);
          continue;
        }
        rotated = true;
        const auto r = detail::JacobiRotation<T>::annihilating(a(p, p), a(q, q), apq);
        a(p, p) -= r.t * apq;
        a(q, q) += r.t * apq;
        a(p, q) = a(q, p) = T(0);
        for (int k = 0; k < N; ++k) {
          if (k != p && k != q) {
            const T akp = a(k, p), akq = a(k, q);
            a(k, p) = a(p, k) = r.c * akp - r.s * akq;
            a(k, q) = a(q, k) = r.s * akp + r.c * akq;
          }
          const T vkp = e.vectors(k, p), vkq = e.vectors(k, q);
          e.vectors(k, p) = r.c * vkp - r.s * vkq;
          e.vectors(k, q) = r.s * vkp + r.c * vkq;
        }
      }
    }
    if (!rotated) break;
  }

  for (int i = 0; i < N; ++i) e.values[i] = std::ldexp(a(i, i), exponent);
  for (int i = 1; i < N; ++i) {  // insertion sort; equal values keep their order
    for (int j = i; j > 0 && e.values[j] < e.values[j - 1]; --j) {
      std::swap(e.values[j], e.values[j - 1]);
      for (int k = 0; k < N; ++k) std::swap(e.vectors(k, j), e.vectors(k, j - 1));
    }
  }
  return e;
}

}  // namespace dovetail
