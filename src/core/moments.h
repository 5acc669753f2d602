// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <type_traits>

#include "core/symmetric.h"
#include "dovetail/models.h"

namespace dovetail {

/// Everything about weighted pairs (p, q), p a source point and q its target point, that the closed-form pose and the
/// point-to-point normal equations need. Additive and made of doubles only: backends reduce it as an array.
/// Centred quantities are differences of sums, so coordinates must be local (an origin near the data).
struct Moments {
  double weight;            ///< sum of w
  Vec3 p;                   ///< sum of w p
  Vec3 q;                   ///< sum of w q
  Mat3 qp;                  ///< sum of w q p^T
  Symmetric<double, 3> pp;  ///< sum of w p p^T
  double qq;                ///< sum of w |q|^2

  static constexpr int size = 23;

  DOVETAIL_HD static constexpr Moments zero() { return Moments{}; }

  DOVETAIL_HD constexpr void add(double w, const Vec3& source, const Vec3& target) {
    weight += w;
    for (int i = 0; i < 3; ++i) {
      const double wq = w * target[i];
      p[i] += w * source[i];
      q[i] += wq;
      qq += wq * target[i];
      for (int j = 0; j < 3; ++j) qp(i, j) += wq * source[j];
    }
    pp.add_outer(w, source);
  }
  DOVETAIL_HD constexpr Moments& operator+=(const Moments& o) {
    weight += o.weight;
    p += o.p;
    q += o.q;
    qp += o.qp;
    pp += o.pp;
    qq += o.qq;
    return *this;
  }

  // The rest needs weight > 0. Sums are multiplied by means, never with each other: weights may be of any size.
  DOVETAIL_HD constexpr Vec3 source_mean() const { return p * (1.0 / weight); }
  DOVETAIL_HD constexpr Vec3 target_mean() const { return q * (1.0 / weight); }
  /// Sum of w (q - mean q)(p - mean p)^T.
  DOVETAIL_HD constexpr Mat3 cross_scatter() const {
    const Vec3 mean = source_mean();
    Mat3 c = qp;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) c(i, j) -= q[i] * mean[j];
    }
    return c;
  }
  /// Sum of w (p - mean p)(p - mean p)^T.
  DOVETAIL_HD constexpr Symmetric<double, 3> source_scatter() const {
    const Vec3 mean = source_mean();
    Symmetric<double, 3> s = pp;
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) s(i, j) -= p[i] * mean[j];
    }
    return s;
  }
  /// Sum of w |p - mean p|^2, not negative.
  DOVETAIL_HD constexpr double source_spread() const {
    const double s = pp.trace() - dot(p, source_mean());
    return s > 0.0 ? s : 0.0;
  }
  /// Sum of w |q - mean q|^2, not negative.
  DOVETAIL_HD constexpr double target_spread() const {
    const double s = qq - dot(q, target_mean());
    return s > 0.0 ? s : 0.0;
  }
  /// Sum of w |q - (linear p + translation)|^2, exact up to rounding of the spreads, not negative.
  DOVETAIL_HD constexpr double cost(const Mat3& linear, const Vec3& translation) const {
    const Vec3 shift = linear * source_mean() + translation - target_mean();
    const Mat3 c = cross_scatter();
    double overlap = 0.0;
    for (int i = 0; i < 9; ++i) overlap += linear[i] * c[i];
    const double sum =
        target_spread() - 2.0 * overlap + congruence(linear, source_scatter()).trace() + weight * squared_norm(shift);
    return sum > 0.0 ? sum : 0.0;
  }
  DOVETAIL_HD constexpr double cost(const Similarity3& t) const { return cost(t.scale * t.rotation, t.translation); }
};

static_assert(std::is_standard_layout_v<Moments> && std::is_trivially_copyable_v<Moments>);
static_assert(sizeof(Moments) == Moments::size * sizeof(double));

}  // namespace dovetail
