// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>

#include "core/apart.h"
#include "core/symmetric.h"
#include "dovetail/matrix_functions.h"

namespace dovetail {

/// The largest eigenvalue of a symmetric 4x4 matrix without trace, and its unit eigenvector.
struct TopEigenvector {
  double value;
  Vector<double, 4> vector;
  bool separate;  ///< well apart from the others; the rest is not set where it is not
};

/// By Newton's method on the characteristic polynomial, from above, and the adjugate of the shifted matrix: a tenth of
/// the time of Jacobi's sweeps, which a single thread of a GPU feels. Where the top eigenvalue is not well separated
/// the adjugate loses digits, and the caller has to take the long way.
DOVETAIL_HD inline TopEigenvector top_eigenvector(const Symmetric<double, 4>& input) {
  constexpr double least_separation = 1e-2;  // of the product of gaps, relative: 14 digits are left
  double largest = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i; j < 4; ++j) largest = fmax(largest, fabs(input(i, j)));
  }
  TopEigenvector top{0, {}, false};
  if (!(largest > 0) || !(largest < 1e300)) return top;
  const double scale = 1 / largest;
  double a[4][4];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) a[i][j] = (i <= j ? input(i, j) : input(j, i)) * scale;
  }

  // λ⁴ + c2 λ² + c1 λ + c0, from the traces of the second and third power and the determinant.
  double squares = 0, cubes = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      double product = 0;
      for (int k = 0; k < 4; ++k) product += a[i][k] * a[k][j];
      squares += a[i][j] * a[i][j];
      cubes += a[i][j] * product;
    }
  }
  const auto minor2 = [&](int row, int p, int q) { return a[row][p] * a[row + 1][q] - a[row][q] * a[row + 1][p]; };
  const double c2 = -squares / 2, c1 = -cubes / 3;
  const double c0 = minor2(0, 0, 1) * minor2(2, 2, 3) - minor2(0, 0, 2) * minor2(2, 1, 3) +
                    minor2(0, 0, 3) * minor2(2, 1, 2) + minor2(0, 1, 2) * minor2(2, 0, 3) -
                    minor2(0, 1, 3) * minor2(2, 0, 2) + minor2(0, 2, 3) * minor2(2, 0, 1);
  // Without trace the largest eigenvalue is at most √3/2 of the norm.
  double value = 0.8660254037844387 * sqrt(squares), slope = 0;
  DOVETAIL_ROLLED
  for (int i = 0; i < 30; ++i) {
    slope = (4 * value * value + 2 * c2) * value + c1;
    const double step = (((value * value + c2) * value + c1) * value + c0) / slope;
    value -= step;
    // Every step halves the distance at least, and near the end squares it: this was the last that counts.
    if (!(step > 1e-10 * value)) break;
  }
  if (!(slope > least_separation * value * value * value)) return top;

  for (int i = 0; i < 4; ++i) a[i][i] -= value;
  // The adjugate is (product of gaps) q qᵀ: its column with the largest diagonal entry.
  const auto cofactor = [&](int row, int column) {
    int r[3], c[3];
    for (int i = 0; i < 3; ++i) r[i] = i < row ? i : i + 1, c[i] = i < column ? i : i + 1;
    const double det = a[r[0]][c[0]] * (a[r[1]][c[1]] * a[r[2]][c[2]] - a[r[1]][c[2]] * a[r[2]][c[1]]) -
                       a[r[0]][c[1]] * (a[r[1]][c[0]] * a[r[2]][c[2]] - a[r[1]][c[2]] * a[r[2]][c[0]]) +
                       a[r[0]][c[2]] * (a[r[1]][c[0]] * a[r[2]][c[1]] - a[r[1]][c[1]] * a[r[2]][c[0]]);
    return (row + column) % 2 == 0 ? det : -det;
  };
  const double diagonal[4] = {fabs(cofactor(0, 0)), fabs(cofactor(1, 1)), fabs(cofactor(2, 2)), fabs(cofactor(3, 3))};
  const auto column_of = [&](int column) {
    return Vector<double, 4>{cofactor(0, column), cofactor(1, column), cofactor(2, column), cofactor(3, column)};
  };
  const bool low = fmax(diagonal[0], diagonal[1]) >= fmax(diagonal[2], diagonal[3]);
  // One call each, so that every index is known when compiling.
  Vector<double, 4> q = low ? (diagonal[0] >= diagonal[1] ? column_of(0) : column_of(1))
                            : (diagonal[2] >= diagonal[3] ? column_of(2) : column_of(3));
  q *= 1 / norm(q);
  return {value * largest, q, true};
}

}  // namespace dovetail
