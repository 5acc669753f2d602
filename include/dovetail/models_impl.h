// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/models.h"

namespace dovetail {
namespace detail {

template <int D>
inline constexpr int rotation_parameters = D == 2 ? 1 : 3;

/// `count` numbers of a vector, from `first` on.
template <int Count, int N>
DOVETAIL_HD constexpr Vector<double, Count> segment(const Vector<double, N>& v, int first) {
  Vector<double, Count> s{};
  for (int i = 0; i < Count; ++i) s[i] = v[first + i];
  return s;
}
template <int Count, int N>
DOVETAIL_HD constexpr void set_segment(Vector<double, N>& v, int first, const Vector<double, Count>& s) {
  for (int i = 0; i < Count; ++i) v[first + i] = s[i];
}

/// [w]x in 3D, its planar counterpart in 2D.
template <int D, int N>
DOVETAIL_HD constexpr Matrix<double, D, D> rotation_generator(const Vector<double, N>& tangent) {
  if constexpr (D == 2) {
    return {0.0, -tangent[0], tangent[0], 0.0};
  } else {
    return skew(segment<3>(tangent, 0));
  }
}
template <int D, int N>
DOVETAIL_HD inline Matrix<double, D, D> rotation_exp(const Vector<double, N>& tangent) {
  if constexpr (D == 2) {
    return exp_so2(tangent[0]);
  } else {
    return exp_so3(segment<3>(tangent, 0));
  }
}
template <int D>
DOVETAIL_HD inline Vector<double, rotation_parameters<D>> rotation_log(const Matrix<double, D, D>& r) {
  if constexpr (D == 2) {
    return {log_so2(r)};
  } else {
    return log_so3(r);
  }
}

/// Homogeneous form of x -> linear x + translation.
template <int D>
DOVETAIL_HD constexpr Matrix<double, D + 1, D + 1> homogeneous(const Matrix<double, D, D>& linear,
                                                               const Vector<double, D>& translation) {
  auto m = Matrix<double, D + 1, D + 1>::identity();
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) m(i, j) = linear(i, j);
    m(i, D) = translation[i];
  }
  return m;
}

/// The stretch S of an affine tangent: symmetric, without trace.
template <int D, int N>
DOVETAIL_HD constexpr Matrix<double, D, D> stretch_generator(const Vector<double, N>& t) {
  if constexpr (D == 2) {
    return {t[4], t[5], t[5], -t[4]};
  } else {
    return {t[7], t[9], t[10], t[9], t[8], t[11], t[10], t[11], -t[7] - t[8]};
  }
}

/// Columns of d(exp(t) p)/dt that all models share, as many as the model has.
template <int D, int N>
DOVETAIL_HD constexpr Matrix<double, D, N> affine_action_jacobian(const Vector<double, D>& p) {
  constexpr int shift = rotation_parameters<D>, log_scale = shift + D, stretch = log_scale + 1;
  Matrix<double, D, N> j{};
  if constexpr (D == 2) {
    j(0, 0) = -p[1], j(1, 0) = p[0];
  } else {
    const Mat3 k = -skew(p);  // w x p = -[p]x w
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) j(r, c) = k(r, c);
    }
  }
  for (int i = 0; i < D; ++i) j(i, shift + i) = 1.0;
  if constexpr (N > log_scale) {
    for (int i = 0; i < D; ++i) j(i, log_scale) = p[i];
  }
  if constexpr (N > stretch) {
    constexpr int end = D == 2 ? 6 : 12;
    for (int k = stretch; k < end; ++k) {
      Vector<double, end> unit{};
      unit[k] = 1.0;
      const Vector<double, D> column = stretch_generator<D>(unit) * p;
      for (int i = 0; i < D; ++i) j(i, k) = column[i];
    }
  }
  return j;
}

/// The matrix phi(scale + rotation) that takes the translation part of a tangent to a translation.
template <int D, int N>
DOVETAIL_HD inline Matrix<double, D, D> translation_factor(const Vector<double, N>& tangent) {
  auto generator = rotation_generator<D>(tangent);
  for (int i = 0; i < D; ++i) generator(i, i) = tangent[rotation_parameters<D> + D];
  return matrix_exponential(generator).phi;
}

}  // namespace detail

template <int D>
DOVETAIL_HD inline Rigid<D> Rigid<D>::exp(const Tangent& t) {
  const Point v = detail::segment<D>(t, detail::rotation_parameters<D>);
  if constexpr (D == 2) {
    const auto f = RotationSeries<double>::of(t[0]);
    const double b = f.b * t[0];
    return {exp_so2(t[0]), {f.a * v[0] - b * v[1], b * v[0] + f.a * v[1]}};
  } else {
    const Vec3 w = detail::segment<3>(t, 0);
    return {exp_so3(w), left_jacobian_so3(w) * v};
  }
}
template <int D>
DOVETAIL_HD inline typename Rigid<D>::Tangent Rigid<D>::log() const {
  Tangent t{};
  const auto w = detail::rotation_log(rotation);
  detail::set_segment(t, 0, w);
  if constexpr (D == 2) {
    const auto f = RotationSeries<double>::of(w[0]);  // inverse of [[a, -b w], [b w, a]]: (w/2) cot(w/2) = 1 - d w^2
    const double c = 1.0 - f.d * w[0] * w[0], s = 0.5 * w[0];
    detail::set_segment(t, 1, Vec2{c * translation[0] + s * translation[1], c * translation[1] - s * translation[0]});
  } else {
    detail::set_segment(t, 3, left_jacobian_inverse_so3(w) * translation);
  }
  return t;
}
template <int D>
DOVETAIL_HD constexpr typename Rigid<D>::ActionJacobian Rigid<D>::action_jacobian(const Point& p) {
  return detail::affine_action_jacobian<D, degrees_of_freedom>(p);
}
template <int D>
DOVETAIL_HD constexpr typename Rigid<D>::Homogeneous Rigid<D>::matrix() const {
  return detail::homogeneous(rotation, translation);
}

template <int D>
DOVETAIL_HD inline Similarity<D> Similarity<D>::exp(const Tangent& t) {
  constexpr int shift = detail::rotation_parameters<D>;
  return {detail::rotation_exp<D>(t), detail::translation_factor<D>(t) * detail::segment<D>(t, shift),
          std::exp(t[shift + D])};
}
template <int D>
DOVETAIL_HD inline typename Similarity<D>::Tangent Similarity<D>::log() const {
  constexpr int shift = detail::rotation_parameters<D>;
  Tangent t{};
  detail::set_segment(t, 0, detail::rotation_log(rotation));
  t[shift + D] = std::log(scale);
  detail::set_segment(t, shift, solve_linear(detail::translation_factor<D>(t), translation));
  return t;
}
template <int D>
DOVETAIL_HD constexpr typename Similarity<D>::ActionJacobian Similarity<D>::action_jacobian(const Point& p) {
  return detail::affine_action_jacobian<D, degrees_of_freedom>(p);
}
template <int D>
DOVETAIL_HD constexpr typename Similarity<D>::Homogeneous Similarity<D>::matrix() const {
  return detail::homogeneous(scale * rotation, translation);
}

template <int D>
DOVETAIL_HD inline Affine<D> Affine<D>::exp(const Tangent& t) {
  const auto base = Similarity<D>::exp(detail::segment<Similarity<D>::degrees_of_freedom>(t, 0));
  return {base.scale * (base.rotation * matrix_exponential(detail::stretch_generator<D>(t)).exp), base.translation};
}
template <int D>
DOVETAIL_HD inline typename Affine<D>::Tangent Affine<D>::log() const {
  constexpr int stretch = Similarity<D>::degrees_of_freedom;
  const auto rotation = polar_rotation(linear);
  const auto right = transpose(rotation) * linear;
  auto s = log_positive_definite(0.5 * (right + transpose(right)));
  double mean = 0.0;
  for (int i = 0; i < D; ++i) mean += s(i, i) / D;
  Tangent t{};
  detail::set_segment(t, 0, Similarity<D>{rotation, translation, std::exp(mean)}.log());
  t[stretch - 1] = mean;
  if constexpr (D == 2) {
    t[4] = s(0, 0) - mean, t[5] = s(0, 1);
  } else {
    t[7] = s(0, 0) - mean, t[8] = s(1, 1) - mean;
    t[9] = s(0, 1), t[10] = s(0, 2), t[11] = s(1, 2);
  }
  return t;
}
template <int D>
DOVETAIL_HD constexpr typename Affine<D>::ActionJacobian Affine<D>::action_jacobian(const Point& p) {
  return detail::affine_action_jacobian<D, degrees_of_freedom>(p);
}
template <int D>
DOVETAIL_HD constexpr typename Affine<D>::Homogeneous Affine<D>::matrix() const {
  return detail::homogeneous(linear, translation);
}

DOVETAIL_HD inline Projective2 Projective2::exp(const Tangent& t) {
  Mat3 perspective = Mat3::identity();
  perspective(2, 0) = t[6], perspective(2, 1) = t[7];
  return {Affine2::exp(detail::segment<6>(t, 0)).matrix() * perspective};
}
DOVETAIL_HD constexpr Affine<2> Projective2::affine_part() const {
  const Mat3 m = h * (1.0 / h(2, 2));
  return {{m(0, 0) - m(0, 2) * m(2, 0), m(0, 1) - m(0, 2) * m(2, 1), m(1, 0) - m(1, 2) * m(2, 0),
           m(1, 1) - m(1, 2) * m(2, 1)},
          {m(0, 2), m(1, 2)}};
}
DOVETAIL_HD inline Projective2::Tangent Projective2::log() const {
  Tangent t{};
  detail::set_segment(t, 0, affine_part().log());
  t[6] = h(2, 0) / h(2, 2), t[7] = h(2, 1) / h(2, 2);
  return t;
}
DOVETAIL_HD constexpr Projective2::ActionJacobian Projective2::action_jacobian(const Point& p) {
  auto j = detail::affine_action_jacobian<2, 8>(p);
  for (int i = 0; i < 2; ++i) j(i, 6) = -p[i] * p[0], j(i, 7) = -p[i] * p[1];
  return j;
}
DOVETAIL_HD constexpr Mat2 Projective2::derivative(const Point& p) const {
  const Vec3 x = h * Vec3{p[0], p[1], 1.0};
  Mat2 d{};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) d(i, j) = (h(i, j) - x[i] / x[2] * h(2, j)) / x[2];
  }
  return d;
}

}  // namespace dovetail
