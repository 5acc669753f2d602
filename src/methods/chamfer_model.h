// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/models.h"

namespace dovetail {

template <int D>
using Homogeneous = Matrix<double, D + 1, D + 1>;

/// The image of a point.
template <int D>
Vector<double, D> image(const Homogeneous<D>& t, const Vector<double, D>& p) {
  Vector<double, D> out{};
  double depth = t(D, D);
  for (int j = 0; j < D; ++j) depth += t(D, j) * p[j];
  for (int i = 0; i < D; ++i) {
    out[i] = t(i, D);
    for (int j = 0; j < D; ++j) out[i] += t(i, j) * p[j];
    out[i] /= depth;
  }
  return out;
}

}  // namespace dovetail

namespace dovetail::chamfer {

/// A model's Jacobian du/dt at a point u, spelled out. It is a polynomial in u, of degree 1, projective 2: the summands
/// of each entry are known when the program is compiled, and so is which entries are zero.
template <class Typed>
struct JacobianTerms {
  static constexpr int D = Typed::dimension, dof = Typed::degrees_of_freedom, most = 2 * dof;
  /// Monomials: 1, x, y[, z], and in 2D x², xy, y².
  static constexpr int monomials = D == 3 ? 4 : 6;
  struct Term {
    int row, parameter, monomial;
    double factor;
  };
  Term term[most];
  int count;
  bool used[D][dof];   ///< entries that are not zero everywhere
  bool single = true;  ///< whether no entry has two summands

  /// Reads them off the model's own Jacobian, by its values at whole-numbered points: exactly.
  DOVETAIL_HD static constexpr JacobianTerms of_model() {
    using Point = typename Typed::Point;
    JacobianTerms t{};
    const auto at_zero = Typed::action_jacobian(Point{});
    for (int a = 0; a < dof; ++a) {
      for (int i = 0; i < D; ++i) {
        const auto add = [&](int monomial, double factor) {
          if (!(factor > 0.0 || factor < 0.0)) return;
          t.term[t.count++] = {i, a, monomial, factor};
          t.single = t.single && !t.used[i][a];
          t.used[i][a] = true;
        };
        add(0, at_zero(i, a));
        for (int d = 0; d < D; ++d) {
          Point unit{};
          unit[d] = 1.0;
          const double plus = Typed::action_jacobian(unit)(i, a), minus = Typed::action_jacobian(-unit)(i, a);
          add(1 + d, 0.5 * (plus - minus));
          if constexpr (D == 2) add(d == 0 ? 3 : 5, 0.5 * (plus + minus) - at_zero(i, a));
        }
        if constexpr (D == 2) {
          const double both = Typed::action_jacobian(Point{1.0, 1.0})(i, a),
                       x = Typed::action_jacobian(Point{1.0, 0.0})(i, a),
                       y = Typed::action_jacobian(Point{0.0, 1.0})(i, a);
          add(4, both - x - y + at_zero(i, a));
        }
      }
    }
    return t;
  }
};

/// How a model's motions spread points: the divergence of each column of its Jacobian, of degree 1 in u at most.
template <class Typed>
struct Divergence {
  static constexpr int D = Typed::dimension, dof = Typed::degrees_of_freedom;
  double constant[dof], slope[dof][D];

  DOVETAIL_HD static constexpr Divergence of_model() {
    using Point = typename Typed::Point;
    Divergence d{};
    for (int a = 0; a < dof; ++a) {
      for (int i = 0; i < D; ++i) {
        // A polynomial of degree 2 at most: half the difference across a unit is its derivative.
        const auto derivative = [&](Point at) {
          Point before = at, after = at;
          before[i] -= 1.0;
          after[i] += 1.0;
          return 0.5 * (Typed::action_jacobian(after)(i, a) - Typed::action_jacobian(before)(i, a));
        };
        const double here = derivative(Point{});
        d.constant[a] += here;
        for (int k = 0; k < D; ++k) {
          Point unit{};
          unit[k] = 1.0;
          d.slope[a][k] += derivative(unit) - here;
        }
      }
    }
    return d;
  }
};

/// The frame in which steps are taken: u = (y − centre) / radius for a target point y.
template <int D>
struct StepFrame {
  Vector<double, D> centre{};
  double radius = 1;
};

/// A transform that differs from the identity by `step` to first order, and costs little: the model's exp() but for the
/// terms of second order between its parts.
template <class Typed>
DOVETAIL_HD inline typename Typed::Homogeneous small_step(const typename Typed::Tangent& step) {
  constexpr int D = Typed::dimension, turns = D == 2 ? 1 : 3, dof = Typed::degrees_of_freedom;
  Matrix<double, D, D> linear = detail::rotation_exp<D>(step);
  if constexpr (dof > turns + D + 1) {
    Matrix<double, D, D> stretch = detail::stretch_generator<D>(step);
    for (int i = 0; i < D; ++i) stretch(i, i) += 1.0;
    linear = linear * stretch;
  }
  if constexpr (dof > turns + D) linear *= std::exp(step[turns + D]);
  Vector<double, D> shift{};
  for (int i = 0; i < D; ++i) shift[i] = step[turns + i];
  typename Typed::Homogeneous m = detail::homogeneous(linear, shift);
  if constexpr (Typed::model == Model::projective2) {
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 2; ++i) m(i, j) += shift[i] * step[6 + j];
      m(2, j) = step[6 + j];
    }
  }
  return m;
}

/// small_step(step) in the step frame, after `t`.
template <class Typed>
DOVETAIL_HD inline typename Typed::Homogeneous stepped(const StepFrame<Typed::dimension>& frame,
                                                       const typename Typed::Tangent& step,
                                                       const typename Typed::Homogeneous& t) {
  constexpr int D = Typed::dimension;
  typename Typed::Homogeneous m = t;  // into the frame: rows less centre times the last one, over radius
  for (int j = 0; j <= D; ++j) {
    for (int i = 0; i < D; ++i) m(i, j) = (m(i, j) - frame.centre[i] * m(D, j)) / frame.radius;
  }
  m = small_step<Typed>(step) * m;
  for (int j = 0; j <= D; ++j) {
    for (int i = 0; i < D; ++i) m(i, j) = m(i, j) * frame.radius + frame.centre[i] * m(D, j);
  }
  if constexpr (Typed::model == Model::projective2) m *= 1.0 / m(2, 2);
  return m;
}

}  // namespace dovetail::chamfer
