// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "core/eigen_symmetric.h"
#include "dovetail/rotation.h"

namespace dovetail {

/// Horn 1987, the matrix N: q^T N q = tr(R(q)^T c) for a unit quaternion q = (w, x, y, z), so that its top eigenvector
/// is the rotation that best takes p to q where c = sum of w q p^T. Horn's S_ab = sum p_a q_b is c(b, a).
template <class T>
DOVETAIL_HD constexpr Symmetric<T, 4> horn_matrix(const Matrix<T, 3, 3>& c) {
  const T xx = c(0, 0), xy = c(1, 0), xz = c(2, 0);
  const T yx = c(0, 1), yy = c(1, 1), yz = c(2, 1);
  const T zx = c(0, 2), zy = c(1, 2), zz = c(2, 2);
  return {{xx + yy + zz, yz - zy, zx - xz, xy - yx,  //
           xx - yy - zz, xy + yx, zx + xz,           //
           yy - xx - zz, yz + zy,                    //
           zz - xx - yy}};
}

/// The rotation nearest to m in the sense of squared entries, for any m: never a reflection, whatever the determinant.
/// Where several are equally near (rank below two), one of them.
template <class T>
DOVETAIL_HD inline Matrix<T, 3, 3> nearest_rotation(const Matrix<T, 3, 3>& m) {
  return matrix_from_quaternion(eigen_symmetric(horn_matrix(m)).vector(3));
}

/// The 2D rotation nearest to m; the identity where none is nearer than another.
template <class T>
DOVETAIL_HD inline Matrix<T, 2, 2> nearest_rotation(const Matrix<T, 2, 2>& m) {
  const T c = m(0, 0) + m(1, 1), s = m(1, 0) - m(0, 1), length = std::hypot(c, s);
  if (!(length > T(0))) return Matrix<T, 2, 2>::identity();
  return {c / length, -s / length, s / length, c / length};
}

}  // namespace dovetail
