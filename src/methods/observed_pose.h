// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "core/apart.h"
#include "core/normal_equations.h"
#include "core/weak_directions.h"
#include "dovetail/rotation.h"
#include "dovetail/transform.h"
#include "methods/pose_step.h"

// A pose that was observed by itself, as odometry or an earlier run has it: an observation beside those of the pairs.
// Equation numbers: docs/methods/icp.md.

namespace dovetail {

/// The true pose is exp(e) · pose, a small motion e (rotation, shift) about `center`, normally distributed about zero.
struct ObservedPose {
  Similarity3 pose = Similarity3::identity();
  Vec3 center{};
  Symmetric<double, 6> information{};  ///< the inverse of e's covariance; zero along what is not known
};

/// The motion from the observed pose to another, e of (9).
DOVETAIL_HD inline Vector<double, 6> motion_from(const ObservedPose& observed, const Similarity3& pose) {
  const Vec3 turn = log_so3(pose.rotation * transpose(observed.pose.rotation));
  const Vec3 shift = pose * (observed.pose.inverse() * observed.center) - observed.center;
  return {turn[0], turn[1], turn[2], shift[0], shift[1], shift[2]};
}

/// Its square in standard deviations.
DOVETAIL_HD inline double squared_sigmas(const ObservedPose& observed, const Similarity3& pose) {
  const Vector<double, 6> e = motion_from(observed, pose);
  return dot(e, observed.information * e);
}

/// What the observation adds to the normal equations of a step about the body's centre (10). The step turns e by the
/// left Jacobian, and is first told about the observation's own centre.
DOVETAIL_APART inline NormalEquations<6> observation_equations(const ObservedPose& observed, const Body& body) {
  const Vector<double, 6> e = motion_from(observed, body.target_from_source);
  const Mat3 turn = left_jacobian_inverse_so3(Vec3{e[0], e[1], e[2]});
  const Mat3 arm = skew(body.center - observed.center - Vec3{e[3], e[4], e[5]});
  Matrix<double, 6, 6> jacobian = Matrix<double, 6, 6>::identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) jacobian(i, j) = turn(i, j), jacobian(3 + i, j) = arm(i, j);
  }
  NormalEquations<6> equations{};
  equations.jtj = congruence(transpose(jacobian), observed.information);
  equations.jtr = transpose(jacobian) * (observed.information * e);
  equations.cost = dot(e, observed.information * e);
  return equations;
}

/// The part of equations to planes along the directions that they hold by more than a share of the stiffest one. What
/// is left of the others is the noise of normals, and no observation.
DOVETAIL_APART inline NormalEquations<6> held_part(const NormalEquations<6>& equations, double radius, unsigned free,
                                                   double least_share) {
  Vector<double, 6> units{};
  for (int i = 0; i < 6; ++i) units[i] = i < 3 ? 1 / radius : 1.0;
  const auto parts = solve_truncated(equations.jtj, equations.jtr, least_share, units, free & all_unknowns(6));
  if (parts.weak == 0) return equations;
  NormalEquations<6> held{};
  held.cost = equations.cost;
  held.weight = equations.weight;
  for (int k = 0; k < 6; ++k) {
    if ((parts.weak >> k & 1u) != 0 || !(parts.eigenvalues[k] > 0)) continue;
    Vector<double, 6> way{};  // of the gradient, in the caller's units
    double along = 0;
    for (int i = 0; i < 6; ++i) {
      way[i] = parts.vectors(i, k) / units[i];
      along += parts.vectors(i, k) * units[i] * equations.jtr[i];
    }
    held.jtj.add_outer(parts.eigenvalues[k], way);
    held.jtr = held.jtr + along * way;
  }
  return held;
}

/// Equations of pairs, of which one has this variance, and of the observation: the information of both (11).
DOVETAIL_HD inline NormalEquations<6> with_observed(const NormalEquations<6>& pairs, double pair_variance,
                                                    const ObservedPose& observed, const Body& body) {
  NormalEquations<6> both = observation_equations(observed, body);
  for (int i = 0; i < Symmetric<double, 6>::size; ++i) both.jtj.data[i] += pairs.jtj.data[i] / pair_variance;
  both.jtr = both.jtr + (1 / pair_variance) * pairs.jtr;
  both.cost += pairs.cost / pair_variance;
  both.weight = pairs.weight;
  return both;
}

}  // namespace dovetail
