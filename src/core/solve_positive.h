// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <limits>

#include "core/symmetric.h"

namespace dovetail {

/// x with a x = b for a symmetric positive definite `a`, units taken out first: no pivots are sought, so that the loops
/// unroll and a single thread of a GPU keeps all of it in registers. An unknown that `a` does not hold stays zero.
/// ldlt() is for matrices that may be singular.
template <class T, int N>
DOVETAIL_HD inline Vector<T, N> solve_positive(const Symmetric<T, N>& a, const Vector<T, N>& b) {
  const T least = T(8 * N) * std::numeric_limits<T>::epsilon();
  T scale[N], lower[N][N], inverse[N];
  Vector<T, N> x{};
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int i = 0; i < N; ++i) {
    const T diagonal = a(i, i);
    scale[i] = diagonal > T(0) && diagonal <= std::numeric_limits<T>::max() ? T(1) / std::sqrt(diagonal) : T(0);
    x[i] = scale[i] * b[i];
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int j = 0; j < i; ++j) {
      T sum = scale[i] * a(j, i) * scale[j];
      for (int k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k] * inverse[k];  // lower holds l d
      lower[i][j] = sum;
    }
    T pivot = scale[i] > T(0) ? T(1) : T(0);
    for (int k = 0; k < i; ++k) pivot -= lower[i][k] * lower[i][k] * inverse[k];
    inverse[i] = pivot > least ? T(1) / pivot : T(0);
    for (int k = 0; k < i; ++k) x[i] -= lower[i][k] * inverse[k] * x[k];
  }
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int i = N - 1; i >= 0; --i) {
    x[i] *= inverse[i];
    for (int k = i + 1; k < N; ++k) x[i] -= lower[k][i] * inverse[i] * x[k];
  }
  for (int i = 0; i < N; ++i) x[i] *= scale[i];
  return x;
}

}  // namespace dovetail
