// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "core/moments.h"
#include "dovetail/transform.h"
#include "methods/method.h"
#include "methods/pose_step.h"

// Soft correspondence: EM-ICP and Softassign. Every source point pulls towards all target points, each by the weight
// exp(−d² / σ²); σ shrinks until the nearest one is left. EM-ICP normalises the weights of each source point against an
// outlier; Softassign normalises those of each target point too, in turns, by factors u and v kept for each point.
// With v = 1 and no turns it is EM-ICP, so both are one method here. Equation numbers: docs/methods/em_icp.md and
// docs/methods/softassign.md. All lengths are local.

namespace dovetail::soft {

inline constexpr int most_levels = 12;

/// What happens at one resolution: σ goes from first to last by `factor` an iteration, by less while the pose moves.
struct LevelPlan {
  double first_sigma = 0, last_sigma = 0;
  double factor = 0.95;         ///< of σ, where the pose stands still
  double moving_factor = 0.95;  ///< where it moves by `much_motion` × σ or more
  double much_motion = 0.1;
  double tolerance = 0;    ///< at the last σ: converged when no source point moves farther
  int settle = 0;          ///< the most iterations at the last σ
  int max_iterations = 0;  ///< pose updates
};

struct Params {
  LevelPlan level[most_levels];
  int levels = 0;
  FitModel model{};
  bool square_roots = false;    ///< weigh by the roots of the posteriors, as the paper does
  int turns = 0;                ///< Softassign: column sweeps between two row sweeps, for each pose
  double outlier_distance = 0;  ///< d0; 0: it follows σ
  double outlier_ratio = 2;     ///< d0 / σ where it does
  double outlier_weight = 1;    ///< factor of the outlier's weight
  double spacing = 0;           ///< of the target: the outlier's weight grows with the points within σ
  double overlap = 0;           ///< expected share of matched weight; 0: whatever the outlier's weight leaves
  double scale_sigma = 0;       ///< a scale is estimated from this σ on: wide weights shrink everything
  double tolerance = 1e-6;      ///< of each row's sum; 0: every pair
};

struct State {
  std::uint32_t problem = 0, level = 0;
  Status status = Status::running;
  Similarity3 target_from_source = Similarity3::identity();
  Vec3 center{};
  double radius = 0;
  double sigma = 0;
  double log_outlier = 0;       ///< of the outlier's weight beside a row's
  double log_overlap_gain = 0;  ///< what the expected overlap has added to it
  int pass = 0;                 ///< of this pose: even ones sweep over the source, odd ones over the target
  bool fresh = true;            ///< the factors v are all 1
  int iteration = 0;            ///< pose updates so far
  int level_iteration = 0, settled = 0;
  std::uint32_t pass_level = 0;  ///< where the last update looked, and how widely
  double pass_sigma = 0;
  double rmse = 0;        ///< root mean square distance to the virtual points, by weight
  double used_ratio = 0;  ///< matched weight, as a share of the source's
  double objective = 0;   ///< mean of −σ² log C over the source: falls as the pose gets better at one σ
  double motion = 0;      ///< the farthest any source point moved in the last step
};

struct Sums {
  Moments moments;
  double squared_distance;  ///< sum of w λ |x' − T y|²
  double rows;              ///< sum of w
  double log_sum;           ///< sum of w log C
};

/// What a row's pass found: sums over the target points with weights e = v exp(−d² / σ²), or their roots. Of a row so
/// far away that they underflow, all are times exp(shift), the roots times exp(shift / 2).
struct Row {
  double weight;     ///< sum of e
  double toward[3];  ///< sum of e (x − T y)
  double squares;    ///< of roots: sum of e²
  double shift;
};

/// The σ of the weights a pass adds up.
DOVETAIL_HD inline double kernel_sigma(const Params& params, const State& state) {
  return params.square_roots ? 1.4142135623730951 * state.sigma : state.sigma;
}

DOVETAIL_HD inline bool over_target(const State& state) { return state.pass % 2 != 0; }

/// The factor u or v of a point from its sum over the other side (6).
DOVETAIL_HD inline float scaling(const State& state, double sum) {
  return static_cast<float>(1.0 / (sum + exp(state.log_outlier)));
}

/// What a source point gives: the virtual point it pulls towards and how strongly, (3)-(5). `w` is its own weight, `p`
/// its place in the source, `moved` that in the target.
DOVETAIL_HD inline void add_row(const Params& params, const State& state, double w, const Vec3& p, const Vec3& moved,
                                const Row& row, Sums& sums) {
  const double sum = (params.square_roots ? row.squares : row.weight) + exp(state.log_outlier + row.shift);
  sums.rows += w;
  if (!(sum > 0)) return;
  sums.log_sum += w * (log(sum) - row.shift);
  if (!(row.weight > 0)) return;
  const double strength = w * row.weight / (params.square_roots ? sqrt(sum) : sum);
  const Vec3 off = (1 / row.weight) * Vec3{row.toward[0], row.toward[1], row.toward[2]};
  sums.moments.add(strength, p, moved + off);
  sums.squared_distance += strength * squared_norm(off);
}

/// Least log of Softassign's slack: the factors u and v, at most its inverse, and their sums stay finite in float.
inline constexpr double least_log_slack = -30;

/// Sets the outlier's weight for the present σ (2).
DOVETAIL_HD inline void set_outlier(const Params& params, State& state) {
  const double ratio = params.outlier_distance > 0 ? params.outlier_distance / state.sigma : params.outlier_ratio;
  // A row that lies among target points has about this many of them within σ.
  const double reach = params.spacing > 0 && !(params.outlier_distance > 0) ? state.sigma / params.spacing : 0;
  const double points = params.model.dimension == 2 ? reach : reach * reach;
  state.log_outlier = log(params.outlier_weight * fmax(1.0, points)) - ratio * ratio + state.log_overlap_gain;
  if (params.turns > 0) state.log_outlier = fmax(state.log_outlier, least_log_slack);
}

/// A state at the start of a level's schedule.
DOVETAIL_HD inline State first_state(const Params& params, State state) {
  state.status = Status::running;
  state.level_iteration = state.settled = 0;
  state.pass = 0;
  state.fresh = true;
  state.sigma = params.level[state.level].first_sigma;
  set_outlier(params, state);
  return state;
}

/// Moves the outlier's weight so that the matched share comes to what is expected.
DOVETAIL_HD inline void follow_overlap(const Params& params, State& state) {
  if (!(params.overlap > 0)) return;
  const double matched = fmin(fmax(state.used_ratio, 1e-3), 1 - 1e-3);
  const double expected = fmin(fmax(params.overlap, 1e-3), 1 - 1e-3);
  const double step = 0.5 * log((1 - expected) / expected * matched / (1 - matched));
  state.log_overlap_gain = fmin(fmax(state.log_overlap_gain + step, -20.0), 20.0);
}

/// One pass's end: another turn, or the pose (5), the schedule and the stopping rule.
DOVETAIL_HD inline State advance_state(const Params& params, const State& state, const Sums& sums) {
  State next = state;
  next.fresh = false;
  if (state.pass < 2 * params.turns) {
    ++next.pass;
    return next;
  }
  next.pass = 0;
  ++next.iteration;
  ++next.level_iteration;
  next.pass_level = state.level;
  next.pass_sigma = state.sigma;
  const double matched = sums.moments.weight;
  next.rmse = matched > 0 ? sqrt(sums.squared_distance / matched) : 0;
  next.used_ratio = sums.rows > 0 ? matched / sums.rows : 0;
  next.objective = sums.rows > 0 ? -state.sigma * state.sigma * sums.log_sum / sums.rows : 0;
  if (!(next.used_ratio > 1e-6)) {
    next.status = Status::no_correspondences;
    return next;
  }
  FitModel model = params.model;
  model.estimate_scale = model.estimate_scale && state.sigma <= params.scale_sigma;
  const Step step = fit_moments({state.target_from_source, state.center, state.radius}, sums.moments, model);
  if (!step.solved) {
    next.status = Status::degenerate;
    return next;
  }
  next.target_from_source = step.target_from_source;
  next.motion = step.motion;
  follow_overlap(params, next);

  const LevelPlan& plan = params.level[state.level];
  const bool at_last = state.sigma <= plan.last_sigma;
  if (at_last) ++next.settled;
  const bool converged = at_last && step.motion <= plan.tolerance;
  const bool finished = at_last && next.settled > plan.settle;
  const bool spent = next.level_iteration >= plan.max_iterations;
  if (converged || finished || spent) {
    if (static_cast<int>(state.level) + 1 >= params.levels) {
      next.status = converged ? Status::converged : finished ? Status::schedule_finished : Status::max_iterations;
      return next;
    }
    ++next.level;
    return first_state(params, next);
  }
  const double moving = fmin(1.0, step.motion / (plan.much_motion * state.sigma));
  next.sigma = fmax(plan.last_sigma, state.sigma * (plan.factor + moving * (plan.moving_factor - plan.factor)));
  set_outlier(params, next);
  return next;
}

/// The method as machines see it.
struct Soft {
  using Params = soft::Params;
  using State = soft::State;
  using Sums = soft::Sums;
  static constexpr int histogram_bins = 0;

  /// The factors u and v.
  static bool keeps_arrays(const Params& params) { return params.turns > 0; }
  DOVETAIL_HD static Side side(const State& state) { return over_target(state) ? Side::target : Side::source; }
  DOVETAIL_HD static bool finished(const State& state) { return state.status != Status::running; }
  DOVETAIL_HD static State advance(const Params& params, const State& state, const Sums& sums, const std::uint32_t*) {
    return advance_state(params, state, sums);
  }
};

}  // namespace dovetail::soft
