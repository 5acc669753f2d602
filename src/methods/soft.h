// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "core/apart.h"
#include "core/moments.h"
#include "dovetail/matrix_functions.h"
#include "dovetail/transform.h"
#include "methods/method.h"
#include "methods/pose_step.h"
#include "spatial/cloud_view.h"
#include "spatial/cluster_tree.h"

// Soft correspondence: EM-ICP and Softassign. Every source point pulls towards all target points, each by the weight
// exp(−d² / σ²); σ shrinks until the nearest one is left. EM-ICP normalises the weights of each source point against an
// outlier; Softassign normalises those of each target point too, in turn, by factors u and v kept for each point.
// With v = 1 and no sweeps over columns it is EM-ICP, so both are one method here. Equation numbers:
// docs/methods/em_icp.md and docs/methods/softassign.md. All lengths are local.

namespace dovetail::soft {

inline constexpr int most_levels = 6;

/// What happens at one resolution: σ goes from first to last, then stays until the pose stands still.
struct LevelPlan {
  double first_sigma = 0, last_sigma = 0;
  double factor = 0;        ///< of σ² from one pose to the next; 0: it follows how far the pose moved
  bool accelerate = false;  ///< steps that go on in one direction are made longer
  double quality = 0;       ///< σ stops shrinking where the matches' quality falls below this part of its best
  double tolerance = 0;     ///< converged when, σ having stopped, no source point moves farther
  int settle = 0;           ///< the most poses with σ stopped
  int max_iterations = 0;   ///< poses
};

struct Params {
  LevelPlan level[most_levels];
  int levels = 0;
  FitModel model{};
  bool square_roots = false;    ///< weigh by the roots of the posteriors, as the paper does
  int sweeps = 0;               ///< Softassign: column sweeps between two row sweeps, for each pose
  double outlier_distance = 0;  ///< d0; 0: the outlier's weight follows how many points lie within σ, from
  double spacing[most_levels]{1, 1, 1, 1, 1, 1};  ///< the target's spacing at each level
  double points[most_levels]{1, 1, 1, 1, 1, 1};   ///< and how many it has there
  double overlap = 0;       ///< expected share of matched weight; 0: whatever the outlier's weight leaves
  double scale_sigma = 0;   ///< a scale is estimated from this σ on: wide weights shrink everything
  double tolerance = 1e-6;  ///< of each row's sum; 0: every pair
};

struct State {
  std::uint32_t coarsest = 0;  ///< where the data of its levels begin in the batch
  std::uint32_t level = 0;
  Status status = Status::running;
  Similarity3 target_from_source = Similarity3::identity();
  Vec3 center{};      ///< where the start puts the source's centroid
  double radius = 0;  ///< of the source about it: turns an angle into a length
  double sigma = 0;
  double last_sigma = 0;        ///< where it stops, unless the matches tell so before
  double log_outlier = 0;       ///< of the outlier's weight beside a row's
  double log_overlap_gain = 0;  ///< what the expected overlap has added to it
  int pass = 0;                 ///< of this pose: even ones sweep over the source, odd ones over the target
  int iteration = 0;            ///< poses so far
  int level_iteration = 0, settled = 0;
  Vector<double, 7> last_step{};  ///< the step before, as a turn, a shift in radii and the log of a scale; 0 after a
                                  ///< lengthened one
  double best_quality = 0;
  std::uint32_t pass_level = 0;  ///< where the last pose looked, and how widely
  double pass_sigma = 0;
  double rmse = 0;        ///< root mean square distance to the virtual points, by weight
  double used_ratio = 0;  ///< matched weight, as a share of the source's
  double objective = 0;   ///< mean of −log(C / outlier) over the source: at one σ, the smaller the better the pose
  double motion = 0;      ///< the farthest any source point moved in the last step
};

struct Sums {
  Moments moments;
  double squared_distance;  ///< sum of w λ |x' − T y|²
  double rows;              ///< sum of w
  double log_sum;           ///< sum of w log C
  double matched_squares;   ///< sum of w λ²
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
DOVETAIL_HD inline float scaling(double outlier, double sum) { return static_cast<float>(1.0 / (sum + outlier)); }
DOVETAIL_HD inline float scaling(const State& state, double sum) { return scaling(exp(state.log_outlier), sum); }

/// What a source point gives: the virtual point it pulls towards and how strongly, (3)-(5). `w` is its own weight, `p`
/// its place in the source, `moved` that in the target, `outlier` the outlier's weight times exp(shift).
DOVETAIL_HD inline void add_row(const Params& params, double outlier, double w, const Vec3& p, const Vec3& moved,
                                const Row& row, Sums& sums) {
  const double sum = (params.square_roots ? row.squares : row.weight) + outlier;
  sums.rows += w;
  if (!(sum > 0)) return;
  sums.log_sum += w * (log(sum) - row.shift);
  if (!(row.weight > 0)) return;
  const double strength = w * row.weight / (params.square_roots ? sqrt(sum) : sum);
  const Vec3 off = (1 / row.weight) * Vec3{row.toward[0], row.toward[1], row.toward[2]};
  sums.moments.add(strength, p, moved + off);
  sums.squared_distance += strength * squared_norm(off);
  sums.matched_squares += strength * strength / w;
}

DOVETAIL_HD inline void add_row(const Params& params, const State& state, double w, const Vec3& p, const Vec3& moved,
                                const Row& row, Sums& sums) {
  add_row(params, exp(state.log_outlier + row.shift), w, p, moved, row, sums);
}

/// The outlier's weight, as a part of what a row on the target's surface sums to.
inline constexpr double outlier_share = 0.5;
/// Least log of Softassign's slack: the factors u and v, at most its inverse, and their sums stay finite in float.
inline constexpr double least_log_slack = -30;

/// About how many points a row on the target's surface has within σ (2).
DOVETAIL_HD inline double points_within(const Params& params, std::uint32_t level, double sigma) {
  const double reach = sigma / params.spacing[level];
  const double local = 1 + 1.2 * (params.model.dimension == 2 ? reach : reach * reach);
  return 1 / (1 / params.points[level] + 1 / local);
}

/// log of the outlier's weight at a level and σ (2); `gain` is what the expected overlap adds.
DOVETAIL_APART inline double log_outlier_at(const Params& params, std::uint32_t level, double sigma, double gain) {
  double log_outlier = 0;
  if (params.outlier_distance > 0) {
    // A slack stands on both sides: a pair at d0 has to weigh as much as the product of the two.
    const double ratio = params.outlier_distance / sigma;
    log_outlier = params.sweeps > 0 ? -0.5 * ratio * ratio : -ratio * ratio;
  } else {
    const double within = points_within(params, level, sigma);
    log_outlier = log(outlier_share * (params.sweeps > 0 ? sqrt(within) : within));
  }
  log_outlier += gain;
  return params.sweeps > 0 ? fmax(log_outlier, least_log_slack) : log_outlier;
}
DOVETAIL_HD inline void set_outlier(const Params& params, State& state) {
  state.log_outlier = log_outlier_at(params, state.level, state.sigma, state.log_overlap_gain);
}

/// Puts a state at the start of its level's schedule.
DOVETAIL_HD inline void begin_level(const Params& params, State& state) {
  state.status = Status::running;
  state.level_iteration = state.settled = state.pass = 0;
  state.last_step = {};
  state.best_quality = 0;
  state.sigma = params.level[state.level].first_sigma;
  state.last_sigma = params.level[state.level].last_sigma;
  set_outlier(params, state);
}
DOVETAIL_HD inline State first_state(const Params& params, State state) {
  begin_level(params, state);
  return state;
}

/// Moves the outlier's weight so that the matched share comes to what is expected.
DOVETAIL_HD inline void follow_overlap(const Params& params, State& state) {
  if (!(params.overlap > 0)) return;
  const double matched = fmin(fmax(state.used_ratio, 1e-3), 1 - 1e-3);
  const double expected = fmin(fmax(params.overlap, 1e-3), 1 - 1e-3);
  const double step = log((1 - expected) / expected * matched / (1 - matched));
  state.log_overlap_gain = fmin(fmax(state.log_overlap_gain + step, -20.0), 20.0);
}

/// EM converges linearly, and slowly where weights are wide: steps that go on in one direction shrink by a steady ratio
/// r, and add up to 1 / (1 − r) of them (10). Takes that many at once, where the step before says so; a plain step
/// follows, to measure r anew.
DOVETAIL_APART inline void lengthen(const Params& params, const Similarity3& from, const Vec3& source_mean,
                                    State& state) {
  const Vec3 pivot = from * source_mean;
  const Vec3 turn = log_so3(state.target_from_source.rotation * transpose(from.rotation));
  const Vec3 shift = state.target_from_source * source_mean - pivot;
  Vector<double, 7> step{};
  for (int i = 0; i < 3; ++i) step[i] = turn[i], step[3 + i] = shift[i] / state.radius;
  step[6] = log(state.target_from_source.scale / from.scale);
  const double size = norm(step), before = norm(state.last_step), along = dot(step, state.last_step);
  state.last_step = step;
  const bool whole = (params.model.free & 0b111111u) == (params.model.dimension == 2 ? 0b011100u : 0b111111u);
  if (!whole || !(before > 0) || !(size > 0) || along <= 0.8 * size * before) return;
  const double ratio = fmin(along / (before * before), 0.98);
  const double times = fmin(fmin(10.0, 1 / (1 - ratio)), fmax(1.0, 0.5 / size));
  if (!(times > 1.01)) return;
  Vector<double, 7> longer{};
  for (int i = 0; i < 7; ++i) longer[i] = times * step[i] * (i >= 3 && i < 6 ? state.radius : 1.0);
  state.target_from_source = step_about(pivot, longer) * from;
  state.last_step = {};
}

/// How much σ² shrinks after a pose that moved by a part of σ (11).
DOVETAIL_HD inline double annealing(double motion_over_sigma) {
  return motion_over_sigma < 0.02 ? 0.5 : motion_over_sigma < 0.2 ? 0.75 : 0.9;
}

/// One pass's end: another sweep, or the pose (5), the schedule and the stopping rule.
DOVETAIL_HD inline void advance(const Params& params, State& state, const Sums& sums) {
  if (state.pass < 2 * params.sweeps) {
    ++state.pass;
    return;
  }
  const double sigma = state.sigma, matched = sums.moments.weight;
  state.pass = 0;
  ++state.iteration;
  ++state.level_iteration;
  state.pass_level = state.level;
  state.pass_sigma = sigma;
  state.rmse = matched > 0 ? sqrt(sums.squared_distance / matched) : 0;
  state.used_ratio = sums.rows > 0 ? matched / sums.rows : 0;
  state.objective = sums.rows > 0 ? state.log_outlier - sums.log_sum / sums.rows : 0;
  if (!(state.used_ratio > 1e-6)) {
    state.status = Status::no_correspondences;
    return;
  }
  FitModel model = params.model;
  model.estimate_scale = model.estimate_scale && sigma <= params.scale_sigma;
  const Body body{state.target_from_source, state.center, state.radius};
  const Step step = fit_moments(body, sums.moments, model);
  if (!step.solved) {
    state.status = Status::degenerate;
    return;
  }
  state.target_from_source = step.target_from_source;
  state.motion = step.motion;
  follow_overlap(params, state);

  const LevelPlan& plan = params.level[state.level];
  const double quality = sums.matched_squares / matched;
  state.best_quality = fmax(state.best_quality, quality);
  const bool stopped = sigma <= state.last_sigma;
  if (stopped) ++state.settled;
  const bool converged = stopped && step.motion <= plan.tolerance;
  const bool finished = stopped && state.settled > plan.settle;
  const bool spent = state.level_iteration >= plan.max_iterations;
  if (converged || finished || spent) {
    if (static_cast<int>(state.level) + 1 >= params.levels) {
      state.status = converged ? Status::converged : finished ? Status::schedule_finished : Status::max_iterations;
      return;
    }
    ++state.level;
    begin_level(params, state);
    return;
  }
  if (plan.accelerate) lengthen(params, body.target_from_source, sums.moments.source_mean(), state);
  if (!stopped) {
    if (quality < plan.quality * state.best_quality) {
      state.last_sigma = sigma;  // what is left is noise: narrower weights would follow it
    } else {
      const double factor = plan.factor > 0 ? plan.factor : annealing(step.motion / sigma);
      state.sigma = fmax(state.last_sigma, sigma * sqrt(factor));
    }
  }
  set_outlier(params, state);
}

/// What a pass reads. A source with clusters is in the order of its tree's slots.
struct Data {
  CloudView source;
  ClusterTreeView target, source_clusters;
};

/// The method as machines see it.
struct Soft : MethodDefaults {
  using Data = soft::Data;
  using Params = soft::Params;
  using State = soft::State;
  using Sums = soft::Sums;

  DOVETAIL_HD static std::uint32_t data_index(const Params&, const State& state) {
    return state.coarsest + state.level;
  }
  /// The points of the side a pass sweeps over.
  DOVETAIL_HD static std::uint32_t items(const Data& data, const State& state) {
    return over_target(state) ? data.target.tree.count : data.source.count;
  }
  static std::uint32_t most_items(const Params& params, const Data& data) {
    return params.sweeps > 0 && data.target.tree.count > data.source.count ? data.target.tree.count : data.source.count;
  }
  /// The factors u of the source's points, then v of the target's.
  static std::size_t kept_floats(const Params& params, const Data& data) {
    return params.sweeps > 0 ? std::size_t{data.source.count} + data.target.tree.count : 0;
  }
  DOVETAIL_HD static bool finished(const State& state) { return state.status != Status::running; }
  DOVETAIL_HD static void advance(const Params& params, State& state, const Sums* sums, const std::uint32_t*) {
    soft::advance(params, state, *sums);
  }
};

}  // namespace dovetail::soft
