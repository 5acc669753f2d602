// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <vector>

#include "core/symmetric.h"
#include "core/weak_directions.h"
#include "dovetail/registration.h"
#include "methods/chamfer_model.h"

// What is told of how exactly an answer is known, for every model alike.

namespace dovetail {

/// Where small motions of a model are told: about the centre of a step frame, in local units that are `scale` times the
/// files' and count from `origin`.
template <int D>
struct ErrorFrame {
  chamfer::StepFrame<D> step;
  double scale = 1;
  Vector<double, D> origin{};
};

/// How far steps move points: the mean of JᵀJ over those that `at(i)` gives, in the step frame. Points farther than
/// `stray_radii` from its centre are left out.
template <class Typed, class At>
Symmetric<double, Typed::degrees_of_freedom> mean_motion(const chamfer::StepFrame<Typed::dimension>& step,
                                                         std::size_t count, std::size_t every, const At& at,
                                                         double stray_radii) {
  constexpr int L = Typed::degrees_of_freedom;
  Matrix<double, L, L> sum{};
  double n = 0;
  for (std::size_t i = 0; i < count; i += every) {
    const auto u = (1 / step.radius) * (at(i) - step.centre);
    if (!(squared_norm(u) < stray_radii * stray_radii)) continue;
    const auto j = Typed::action_jacobian(u);
    sum += transpose(j) * j;
    n += 1;
  }
  return Symmetric<double, L>::from_matrix((1 / std::max(n, 1.0)) * sum);
}

/// What one unit of a tangent's number in a step frame is in radians and file units; `radius` is the frame's, in these.
template <class Typed>
double tangent_unit(int a, double radius) {
  constexpr int D = Typed::dimension, turns = D == 2 ? 1 : 3;
  if (a >= turns && a < turns + D) return radius;
  if (Typed::model == Model::projective2 && a >= 6) return 1 / radius;
  return 1;
}

/// Sets the covariance, given in the step frame, in radians and file units, and the error to expect by it where points
/// move as mean_motion() says.
template <class Typed>
void set_covariance(const Matrix<double, Typed::degrees_of_freedom, Typed::degrees_of_freedom>& covariance,
                    const ErrorFrame<Typed::dimension>& frame,
                    const Symmetric<double, Typed::degrees_of_freedom>& motion, Registration& result) {
  const double radius = frame.step.radius / frame.scale;
  double squared = 0;
  result.covariance.clear();
  for (int a = 0; a < Typed::degrees_of_freedom; ++a) {
    for (int b = 0; b < Typed::degrees_of_freedom; ++b) {
      result.covariance.push_back(covariance(a, b) * tangent_unit<Typed>(a, radius) * tangent_unit<Typed>(b, radius));
      squared += covariance(a, b) * motion(a, b);
    }
  }
  result.expected_error = radius * std::sqrt(std::max(0.0, squared));
}

/// Sets what the covariance is about.
template <int D>
void set_center(const ErrorFrame<D>& frame, Registration& result) {
  for (int a = 0; a < D; ++a) result.covariance_center[a] = frame.step.centre[a] / frame.scale + frame.origin[a];
}

/// A direction is weak when it is held by less than this share of what holds the stiffest one. A sphere's or a plane's
/// free directions measure 1e-5 to 1e-3 with the noise of real normals; the least of a bunny's is 0.05.
inline constexpr double weak_share = 5e-3;

/// Sets the motions among those in `free` that equations leave nearly free, and tells how free the freest one is: its
/// share of the stiffest one's curvature. Rotations come first; one of them is `turn` units.
template <int N>
double set_weak_directions(const Symmetric<double, N>& equations, double turn, unsigned free, Registration& result) {
  constexpr int D = N == 3 ? 2 : 3, turns = N - D;
  Vector<double, N> units{};
  for (int i = 0; i < N; ++i) units[i] = i < turns ? turn : 1.0;
  const auto solution = solve_truncated(equations, Vector<double, N>{}, weak_share, units, free & all_unknowns(N));
  result.weak_directions.clear();
  double freest = 1;
  const double stiffest = solution.eigenvalues[N - 1];
  for (int k = 0; k < N; ++k) {
    if ((solution.weak >> k & 1u) == 0) continue;
    WeakDirection direction;
    for (int i = 0; i < turns; ++i) direction.rotation[D == 2 ? 2 : i] = solution.vectors(i, k);
    for (int i = 0; i < D; ++i) direction.translation[i] = solution.vectors(turns + i, k);
    result.weak_directions.push_back(direction);
    freest = std::min(freest, stiffest > 0 ? std::max(0.0, solution.eigenvalues[k]) / stiffest : 0.0);
  }
  return freest;
}

}  // namespace dovetail
