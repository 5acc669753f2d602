// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "core/apart.h"
#include "core/normal_equations.h"
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

/// What pairs hold of what their equations to planes promise: along directions that the noise of normals seems to hold,
/// less or nothing. The curvature is A H Aᵀ, the gradient B g.
struct PairsHold {
  Matrix<double, 6, 6> curvature = Matrix<double, 6, 6>::identity();
  Matrix<double, 6, 6> pull = Matrix<double, 6, 6>::identity();
};

DOVETAIL_HD inline NormalEquations<6> held_part(const NormalEquations<6>& equations, const PairsHold& hold) {
  NormalEquations<6> held = equations;
  held.jtj = congruence(hold.curvature, equations.jtj);
  held.jtr = hold.pull * equations.jtr;
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
