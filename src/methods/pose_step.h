// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>

#include "core/apart.h"
#include "core/fit.h"
#include "core/ldlt.h"
#include "core/moments.h"
#include "core/normal_equations.h"
#include "core/weak_directions.h"
#include "dovetail/rotation.h"
#include "dovetail/transform.h"

// From sums to the next pose, for every method that moves a rigid or similar body.

namespace dovetail {

/// What a step moves: the pose so far, where it puts the source's centroid at the start (rotations turn about it), and
/// the source's radius about it, which turns an angle into a length.
struct Body {
  Similarity3 target_from_source;
  Vec3 center;
  double radius;
};

/// The next pose, and how far that takes the source.
struct Step {
  Similarity3 target_from_source;
  double motion;
  bool solved;
};

/// Which motions a fit may make: `free` has a bit for each of three rotations, three shifts and the scale. Where the
/// scale is not estimated it stays what it is.
struct FitModel {
  int dimension = 3;
  bool estimate_scale = false;
  unsigned free = 0b1111111;
};

template <int D>
DOVETAIL_HD inline Fit<Similarity<D>> widened(const Fit<Rigid<D>>& fit) {
  return {Similarity<D>::from(fit.target_from_source), fit.free_directions};
}
/// A motion of the plane as one of space that leaves z alone.
DOVETAIL_HD inline Similarity3 lifted(const Similarity2& t) {
  return {{t.rotation(0, 0), t.rotation(0, 1), 0, t.rotation(1, 0), t.rotation(1, 1), 0, 0, 0, 1},
          {t.translation[0], t.translation[1], 0},
          t.scale};
}

/// Farthest motion of a source point between two poses, bounded by the ball around the centroid.
DOVETAIL_HD inline double motion_between(const Body& body, const Similarity3& next) {
  const Similarity3& now = body.target_from_source;
  const Vec3 centroid = now.inverse() * body.center;
  // |R - R'| = 2 sqrt(2) sin(angle / 2), and shorter than by way of a quaternion.
  double squares = 0;
  for (int i = 0; i < 9; ++i) {
    squares += (next.rotation[i] - now.rotation[i]) * (next.rotation[i] - now.rotation[i]);
  }
  const double angle = 2 * asin(fmin(1.0, sqrt(0.125 * squares)));
  const double growth = next.scale == now.scale ? 0.0 : fabs(log(next.scale / now.scale));
  return norm(next * centroid - now * centroid) + body.radius * (angle + growth);
}

/// The step x about the centre, of equations that determine so many unknowns.
template <int N>
DOVETAIL_HD inline Step step_by(const Body& body, const Vector<double, N>& solution, int rank) {
  Vector<double, 7> x{};
  for (int i = 0; i < N; ++i) x[i] = solution[i];
  // A step far beyond the cloud is the mark of equations that leave a direction nearly free: take a part of it.
  const double turn = norm(Vec3{x[0], x[1], x[2]}) + fabs(x[6]), shift = norm(Vec3{x[3], x[4], x[5]});
  const double motion = shift + body.radius * turn;
  const double part = motion > body.radius ? body.radius / motion : 1.0;
  return {step_about(body.center, part * x) * body.target_from_source, part * motion, rank > 0};
}

/// Gauss-Newton, about the centre.
template <int N>
DOVETAIL_HD inline Step solve_step(const Body& body, const NormalEquations<N>& equations, unsigned free) {
  const auto solution = solve_masked(equations.jtj, -equations.jtr, free & all_unknowns(N));
  return step_by(body, solution.x, solution.rank);
}

/// The same, but no motion along directions that the equations hold by less than a share of the stiffest one.
DOVETAIL_APART inline Step solve_held_step(const Body& body, const NormalEquations<6>& equations, unsigned free,
                                           double held_share) {
  Vector<double, 6> units{};
  for (int i = 0; i < 6; ++i) units[i] = i < 3 ? 1 / body.radius : 1.0;
  const auto solution = solve_truncated(equations.jtj, -equations.jtr, held_share, units, free & all_unknowns(6));
  return step_by(body, solution.x, solution.rank);
}

/// What counts as no spread at all, as a share of the pairs' spread: a rod is a line when it is a thousand times longer
/// than thick. Terms are rounded to float about the origin, so for a small set far from it the share is larger.
DOVETAIL_HD inline double least_spread(const Moments& m) {
  const double spread = m.source_spread() * m.target_spread();
  const double about_origin = m.pp.trace() * m.qq;
  return spread > 0 ? fmax(1e-6, 1e-8 * sqrt(about_origin / spread)) : 1e-6;
}

DOVETAIL_APART inline Step fit_held_moments(const Body& body, const Moments& m, const FitModel& model) {
  const auto equations = point_to_point_equations(m, body.target_from_source, body.center);
  return solve_step(body, equations, model.estimate_scale ? model.free : model.free & all_unknowns(6));
}

/// Closed form, or Gauss-Newton where some motions are held.
DOVETAIL_HD inline Step fit_moments(const Body& body, const Moments& m, const FitModel& model) {
  const unsigned whole = model.dimension == 2 ? 0b011100u : all_unknowns(6);
  if ((model.free & whole) != whole) return fit_held_moments(body, m, model);
  const double least = m.weight > 0 ? least_spread(m) : 1.0;
  Similarity3 next;
  bool unique = false;
  if (model.dimension == 2) {
    const auto fit = model.estimate_scale ? fit_similarity2(m, least) : widened(fit_rigid2(m, least));
    next = lifted(fit.target_from_source);
    unique = fit.unique();
  } else {
    const auto fit = model.estimate_scale ? fit_similarity3(m, least) : widened(fit_rigid3(m, least));
    next = fit.target_from_source;
    unique = fit.unique();
  }
  const double held = body.target_from_source.scale;
  if (!model.estimate_scale && held != 1 && m.weight > 0) {
    next.scale = held;
    next.translation = m.target_mean() - held * (next.rotation * m.source_mean());
  }
  return {next, motion_between(body, next), unique};
}

}  // namespace dovetail
