// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>

#include "dovetail/matrix.h"

namespace dovetail {

/// A quaternion (w, x, y, z), w the real part. q and -q are the same rotation.
template <class T>
using Quaternion = Vector<T, 4>;

/// The matrix [v]x of the cross product: skew(v) u = v x u.
template <class T>
DOVETAIL_HD constexpr Matrix<T, 3, 3> skew(const Vector<T, 3>& v) {
  return {T(0), -v[2], v[1], v[2], T(0), -v[0], -v[1], v[0], T(0)};
}

/// The 2D rotation by `angle` radians, counter-clockwise.
template <class T>
DOVETAIL_HD inline Matrix<T, 2, 2> exp_so2(T angle) {
  const T c = std::cos(angle), s = std::sin(angle);
  return {c, -s, s, c};
}

/// The angle of a 2D rotation in (-pi, pi].
template <class T>
DOVETAIL_HD inline T log_so2(const Matrix<T, 2, 2>& r) {
  return std::atan2(r(1, 0) - r(0, 1), r(0, 0) + r(1, 1));
}

/// The scalar functions of an angle t that rotations and their Jacobians are made of, accurate down to t = 0.
template <class T>
struct RotationSeries {
  T a;  ///< sin t / t
  T b;  ///< (1 - cos t) / t^2
  T c;  ///< (t - sin t) / t^3
  T d;  ///< (1 - (t/2) cot(t/2)) / t^2

  DOVETAIL_HD static RotationSeries of(T t) {
    const T x = t * t;
    if (x < T(0.25)) {
      // Taylor series; the first term left out is below 1e-15 of the sum at t = 1/2, where 1 - cos t and t - sin t
      // would already have cancelled.
      const T sinc =
          T(1) -
          x / T(6) *
              (T(1) - x / T(20) * (T(1) - x / T(42) * (T(1) - x / T(72) * (T(1) - x / T(110) * (T(1) - x / T(156))))));
      const T versine =
          T(0.5) *
          (T(1) - x / T(12) *
                      (T(1) - x / T(30) *
                                  (T(1) - x / T(56) * (T(1) - x / T(90) * (T(1) - x / T(132) * (T(1) - x / T(182)))))));
      const T cubic =
          T(1) / T(6) *
          (T(1) -
           x / T(20) *
               (T(1) -
                x / T(42) * (T(1) - x / T(72) * (T(1) - x / T(110) * (T(1) - x / T(156) * (T(1) - x / T(210)))))));
      const T inverse =
          T(1) / T(12) +
          x * (T(1) / T(720) + x * (T(1) / T(30240) + x * (T(1) / T(1209600) + x * (T(1) / T(47900160) +
                                                                                    x * T(691) / T(1307674368000.0)))));
      return {sinc, versine, cubic, inverse};
    }
    const T half = T(0.5) * t, s = std::sin(t), sh = std::sin(half);
    return {s / t, T(2) * sh * sh / x, (t - s) / (x * t), (T(1) - half * std::cos(half) / sh) / x};
  }
};

/// The rotation by |w| radians about the axis w (Rodrigues' formula).
template <class T>
DOVETAIL_HD inline Matrix<T, 3, 3> exp_so3(const Vector<T, 3>& w) {
  const auto f = RotationSeries<T>::of(norm(w));
  const Matrix<T, 3, 3> k = skew(w);
  return Matrix<T, 3, 3>::identity() + f.a * k + f.b * (k * k);
}

/// d exp(w) = [J(w) dw]x exp(w): how a change of w moves the rotation, seen from the left. Also the matrix V of the
/// rigid exponential, translation = J(w) v.
template <class T>
DOVETAIL_HD inline Matrix<T, 3, 3> left_jacobian_so3(const Vector<T, 3>& w) {
  const auto f = RotationSeries<T>::of(norm(w));
  const Matrix<T, 3, 3> k = skew(w);
  return Matrix<T, 3, 3>::identity() + f.b * k + f.c * (k * k);
}

/// Inverse of left_jacobian_so3 for |w| < 2 pi.
template <class T>
DOVETAIL_HD inline Matrix<T, 3, 3> left_jacobian_inverse_so3(const Vector<T, 3>& w) {
  const auto f = RotationSeries<T>::of(norm(w));
  const Matrix<T, 3, 3> k = skew(w);
  return Matrix<T, 3, 3>::identity() - T(0.5) * k + f.d * (k * k);
}

/// The rotation matrix of a quaternion of any length but zero.
template <class T>
DOVETAIL_HD inline Matrix<T, 3, 3> matrix_from_quaternion(const Quaternion<T>& q) {
  const T s = T(2) / squared_norm(q);
  const T w = q[0], x = q[1], y = q[2], z = q[3];
  return {T(1) - s * (y * y + z * z), s * (x * y - w * z),        s * (x * z + w * y),
          s * (x * y + w * z),        T(1) - s * (x * x + z * z), s * (y * z - w * x),
          s * (x * z - w * y),        s * (y * z + w * x),        T(1) - s * (x * x + y * y)};
}

/// The unit quaternion of a rotation matrix, w >= 0. Divides by the largest component (Shepperd's method), so it is
/// as accurate at 180 degrees as near none.
template <class T>
DOVETAIL_HD inline Quaternion<T> quaternion_from_matrix(const Matrix<T, 3, 3>& r) {
  const T trace = r(0, 0) + r(1, 1) + r(2, 2);
  Quaternion<T> q{};
  int k = 0;
  T best = trace;
  for (int i = 0; i < 3; ++i) {
    if (r(i, i) > best) best = r(i, i), k = i + 1;
  }
  if (k == 0) {
    q = {T(1) + trace, r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
  } else {
    const int i = k - 1, j = (i + 1) % 3, l = (i + 2) % 3;
    q[0] = r(l, j) - r(j, l);
    q[1 + i] = T(1) + r(i, i) - r(j, j) - r(l, l);
    q[1 + j] = r(j, i) + r(i, j);
    q[1 + l] = r(l, i) + r(i, l);
  }
  const T length = norm(q);
  return q * ((q[0] < T(0) ? T(-1) : T(1)) / length);
}

/// The angle of a rotation in [0, pi], accurate at both ends (where the arc cosine of the trace loses half the digits).
template <class T>
DOVETAIL_HD inline T rotation_angle(const Matrix<T, 3, 3>& r) {
  const Quaternion<T> q = quaternion_from_matrix(r);
  return T(2) * std::atan2(norm(Vector<T, 3>{q[1], q[2], q[3]}), q[0]);
}
template <class T>
DOVETAIL_HD inline T rotation_angle(const Matrix<T, 2, 2>& r) {
  const T angle = log_so2(r);
  return angle < T(0) ? -angle : angle;
}

/// The rotation vector w with exp_so3(w) = r and |w| <= pi.
template <class T>
DOVETAIL_HD inline Vector<T, 3> log_so3(const Matrix<T, 3, 3>& r) {
  const Quaternion<T> q = quaternion_from_matrix(r);
  const Vector<T, 3> v = {q[1], q[2], q[3]};
  const T length = norm(v);
  // atan(n / w) / n tends to 1 / w; below 1e-10 the next term is under one unit in the last place even in double.
  return v * (length < T(1e-10) ? T(2) / q[0] : T(2) * std::atan2(length, q[0]) / length);
}

}  // namespace dovetail
