// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "core/eigen_symmetric.h"

namespace dovetail {

namespace detail {

/// The unit vector closest to orthogonal to all rows of the rank-two matrix m = a - lambda: the longest cross product
/// of two rows. False where m has no rank two.
template <class T>
DOVETAIL_HD inline bool null_vector(const Matrix<T, 3, 3>& m, Vector<T, 3>& v) {
  T longest = T(0);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const Vector<T, 3> c = cross(Vector<T, 3>{m(i, 0), m(i, 1), m(i, 2)}, Vector<T, 3>{m(j, 0), m(j, 1), m(j, 2)});
    const T length = squared_norm(c);
    if (length > longest) longest = length, v = c;
  }
  if (!(longest > T(0))) return false;
  v *= T(1) / std::sqrt(longest);
  return true;
}

}  // namespace detail

/// The unit eigenvector of the smallest eigenvalue of a 3x3 covariance: the normal of a neighbourhood.
/// The cubic's root by the cosine formula is accurate for the eigenvalue that stands apart from the other two, and only
/// that one is used: if it is the smallest, its null vector is the answer; if the largest, one Jacobi rotation in the
/// plane across it finds the smaller of the other two. Backward error a few units in the last place of T.
/// Where all eigenvalues are equal (or the input is zero), the z axis. The sign is arbitrary.
template <class T>
DOVETAIL_HD inline Vector<T, 3> smallest_eigenvector(const Symmetric<T, 3>& input) {
  const Vector<T, 3> fallback = {T(0), T(0), T(1)};
  T largest = T(0);
  for (int i = 0; i < 6; ++i) largest = std::fabs(input.data[i]) > largest ? std::fabs(input.data[i]) : largest;
  if (!(largest > T(0)) || !(largest <= std::numeric_limits<T>::max())) return fallback;
  int exponent = 0;
  std::frexp(largest, &exponent);
  Symmetric<T, 3> a{};
  for (int i = 0; i < 6; ++i) a.data[i] = std::ldexp(input.data[i], -exponent);

  // Deviator b = a - mean, scaled so that its eigenvalues are 2 cos of angles a third of a turn apart.
  const T mean = a.trace() / T(3);
  for (int i = 0; i < 3; ++i) a(i, i) -= mean;
  const Matrix<T, 3, 3> b = a.to_matrix();
  T square = T(0);
  for (int i = 0; i < 9; ++i) square += b[i] * b[i];
  const T p = std::sqrt(square / T(6));
  if (!(p > std::numeric_limits<T>::epsilon())) return fallback;
  const Matrix<T, 3, 3> unit = b * (T(1) / p);
  const T half_det = T(0.5) * (unit(0, 0) * (unit(1, 1) * unit(2, 2) - unit(1, 2) * unit(1, 2)) -
                               unit(0, 1) * (unit(0, 1) * unit(2, 2) - unit(1, 2) * unit(0, 2)) +
                               unit(0, 2) * (unit(0, 1) * unit(1, 2) - unit(1, 1) * unit(0, 2)));
  const T cosine = half_det < T(-1) ? T(-1) : (half_det > T(1) ? T(1) : half_det);
  const bool largest_apart = cosine > T(0);
  const T apart = T(2) * std::cos(std::acos(largest_apart ? cosine : -cosine) / T(3)) * (largest_apart ? T(1) : T(-1));

  Matrix<T, 3, 3> shifted = unit;
  for (int i = 0; i < 3; ++i) shifted(i, i) -= apart;
  Vector<T, 3> v{};
  if (!detail::null_vector(shifted, v)) return fallback;
  if (!largest_apart) return v;

  // An orthonormal pair u, w across v, and the 2x2 problem there.
  const int axis = std::fabs(v[0]) < std::fabs(v[1]) ? (std::fabs(v[0]) < std::fabs(v[2]) ? 0 : 2)
                                                     : (std::fabs(v[1]) < std::fabs(v[2]) ? 1 : 2);
  Vector<T, 3> e{};
  e[axis] = T(1);
  Vector<T, 3> u = cross(v, e);
  u *= T(1) / norm(u);
  const Vector<T, 3> w = cross(v, u);
  const Vector<T, 3> bu = unit * u, bw = unit * w;
  const T uu = dot(u, bu), ww = dot(w, bw), uw = dot(u, bw);
  if (uw == T(0)) return uu < ww ? u : w;
  const auto r = detail::JacobiRotation<T>::annihilating(uu, ww, uw);
  return uu - r.t * uw < ww + r.t * uw ? r.c * u - r.s * w : r.s * u + r.c * w;
}

}  // namespace dovetail
