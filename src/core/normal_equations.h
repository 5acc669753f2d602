// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <type_traits>

#include "core/moments.h"

namespace dovetail {

/// Sums of a weighted least-squares problem over residuals r with derivatives J = dr/dx: the Gauss-Newton step solves
/// jtj x = -jtr. Additive and made of doubles only: backends reduce it as an array.
template <int N>
struct NormalEquations {
  Symmetric<double, N> jtj;  ///< sum of w J^T J
  Vector<double, N> jtr;     ///< sum of w J^T r
  double cost;               ///< sum of w r^2
  double weight;             ///< sum of w

  static constexpr int size = N * (N + 1) / 2 + N + 2;

  DOVETAIL_HD static constexpr NormalEquations zero() { return NormalEquations{}; }

  DOVETAIL_HD constexpr void add(double w, const Vector<double, N>& jacobian_row, double residual) {
    jtj.add_outer(w, jacobian_row);
    const double wr = w * residual;
    for (int i = 0; i < N; ++i) jtr[i] += wr * jacobian_row[i];
    cost += wr * residual;
    weight += w;
  }
  DOVETAIL_HD constexpr NormalEquations& operator+=(const NormalEquations& o) {
    jtj += o.jtj;
    jtr += o.jtr;
    cost += o.cost;
    weight += o.weight;
    return *this;
  }

  static_assert(sizeof(Symmetric<double, N>) + sizeof(Vector<double, N>) + 2 * sizeof(double) == size * sizeof(double));
};

static_assert(std::is_standard_layout_v<NormalEquations<7>> && std::is_trivially_copyable_v<NormalEquations<7>>);
static_assert(sizeof(NormalEquations<6>) == NormalEquations<6>::size * sizeof(double));
static_assert(sizeof(NormalEquations<7>) == NormalEquations<7>::size * sizeof(double));
static_assert(sizeof(NormalEquations<12>) == NormalEquations<12>::size * sizeof(double));

/// The step x = (rotation w, translation v, log of scale s) taken about `centre`: p -> c + e^s exp(w)(p - c) + v.
DOVETAIL_HD inline Similarity3 step_about(const Vec3& centre, const Vector<double, 7>& x) {
  const Mat3 rotation = exp_so3(Vec3{x[0], x[1], x[2]});
  const double scale = std::exp(x[6]);
  return {rotation, centre + Vec3{x[3], x[4], x[5]} - scale * (rotation * centre), scale};
}
DOVETAIL_HD inline Rigid3 step_about(const Vec3& centre, const Vector<double, 6>& x) {
  const Mat3 rotation = exp_so3(Vec3{x[0], x[1], x[2]});
  return {rotation, centre + Vec3{x[3], x[4], x[5]} - rotation * centre};
}

/// One row of the Jacobian of a residual n . (step_about(c, x) y' - q), y' = t p, with y = y' - c: point to plane.
DOVETAIL_HD constexpr Vector<double, 7> plane_row(const Vec3& y, const Vec3& n) {
  const Vec3 m = cross(y, n);
  return {m[0], m[1], m[2], n[0], n[1], n[2], dot(y, n)};
}

/// Point-to-point normal equations at the pose `t` from the moments of the pairs, for the step about `centre`.
/// With y = t p - c the residual is r = y + c - q, its derivative J = [-[y]x, 1, y]. Sums over y come from centred sums
/// over p, so that nothing large cancels. `weight` is the sum of w over pairs (each pair has three residual rows).
DOVETAIL_HD inline NormalEquations<7> point_to_point_equations(const Moments& m, const Similarity3& t,
                                                               const Vec3& centre) {
  NormalEquations<7> e{};
  if (!(m.weight > 0.0)) return e;
  const Mat3 linear = t.scale * t.rotation;
  const Vec3 y = linear * m.source_mean() + t.translation - centre;  // mean of y
  const Vec3 z = m.target_mean() - centre;                           // mean of q - c
  Symmetric<double, 3> yy = congruence(linear, m.source_scatter());
  const Mat3 zy_centred = m.cross_scatter() * transpose(linear);
  double overlap = 0.0;
  for (int i = 0; i < 3; ++i) overlap += zy_centred(i, i);
  e.cost = m.target_spread() - 2.0 * overlap + yy.trace() + m.weight * squared_norm(y - z);
  if (!(e.cost > 0.0)) e.cost = 0.0;
  yy.add_outer(m.weight, y);
  Mat3 zy = zy_centred;  // sum of w (q - c) y^T
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) zy(i, j) += m.weight * z[i] * y[j];
  }

  const double square = yy.trace();
  const Mat3 cross_mean = m.weight * skew(y);
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) e.jtj(i, j) = (i == j ? square : 0.0) - yy(i, j);
    for (int j = 0; j < 3; ++j) e.jtj(i, 3 + j) = cross_mean(i, j);
    e.jtj(3 + i, 3 + i) = m.weight;
    e.jtj(3 + i, 6) = m.weight * y[i];
    e.jtr[3 + i] = m.weight * (y[i] - z[i]);
  }
  e.jtj(6, 6) = square;
  // y x r = (q - c) x y, and y . r = |y|^2 - (q - c) . y.
  e.jtr[0] = zy(1, 2) - zy(2, 1);
  e.jtr[1] = zy(2, 0) - zy(0, 2);
  e.jtr[2] = zy(0, 1) - zy(1, 0);
  e.jtr[6] = square - (zy(0, 0) + zy(1, 1) + zy(2, 2));
  e.weight = m.weight;
  return e;
}

}  // namespace dovetail
