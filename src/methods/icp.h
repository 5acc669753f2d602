// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <cstdint>

#include "core/histogram.h"
#include "core/moments.h"
#include "core/normal_equations.h"
#include "dovetail/icp.h"
#include "dovetail/transform.h"
#include "methods/float_pose.h"
#include "methods/icp_pair.h"
#include "methods/method.h"
#include "methods/observed_pose.h"
#include "methods/pose_step.h"
#include "methods/surface_pair.h"

// Iterative closest point: the pass finds the nearest target point of each source point and adds up moments
// (point-to-point) or normal equations (to planes); advance fits the pose, follows the schedule and tells when to stop.
// Equation numbers: docs/methods/icp.md. All lengths are local.

namespace dovetail::icp {

inline constexpr int most_levels = 12;

/// What happens at one resolution: the kernel's scale and the flatness go geometrically from first to last over
/// `anneal` iterations, then stay. Pairs farther apart than reach × scale never count.
struct LevelPlan {
  Kernel kernel = Kernel::none;
  bool kernel_on_distance = false;  ///< the kernel judges the distance of a pair instead of the metric's residual
  double first_scale = 0, last_scale = 0;
  double first_flatness = 1e-3, last_flatness = 1e-3;
  int anneal = 0;
  double reach = 3;
  double tolerance = 0;  ///< converged when no source point moves farther
  int max_iterations = 0;
};

struct Params {
  LevelPlan level[most_levels];
  int levels = 0;
  int dimension = 3;
  bool estimate_scale = false;
  double max_distance = 0;    ///< pairs farther apart never count; 0: the levels' reach alone
  double overlap = 0;         ///< expected share of source points with a counterpart; 0: no trimming
  unsigned free = 0b1111111;  ///< rotations, translations, scale that may change
  double weak_share = 0;      ///< of the largest curvature: along directions with less, to planes, nothing moves
  /// Of the pairs to planes, where the pose was observed by itself as well: what makes both commensurable. 0: it was
  /// not.
  double pair_variance = 0;
  ObservedPose observed{};
  PairsHold pairs_hold{};
  Vector<double, 6> rest{};  ///< the sums' gradient where the pairs alone come to rest, in their own metric
};

struct State {
  std::uint32_t coarsest = 0;  ///< where the data of its levels begin in the batch
  std::uint32_t level = 0;
  Status status = Status::running;
  Similarity3 target_from_source = Similarity3::identity();
  Vec3 center{};            ///< where the start puts the source's centroid: rotations turn about it
  double radius = 0;        ///< of the source about its centroid: turns an angle into a length
  double widest_scale = 0;  ///< the kernel starts no wider than this; 0: as the plan says
  double max_distance = 0;
  double trim_distance = 0;  ///< pairs farther apart are trimmed; 0 while there is no trimming
  double kernel_scale = 0;
  double flatness = 1e-3;
  int iteration = 0;             ///< passes so far
  int level_iteration = 0;       ///< of them at this level
  std::uint32_t pass_level = 0;  ///< where the last pass looked, and how far
  double pass_distance = 0;
  double rmse = 0;        ///< of the pairs of the last pass
  double used_ratio = 0;  ///< pairs of the last pass, as a share of the level's source points
  double motion = 0;      ///< the farthest any source point moved in the last step
};

/// The last part of every metric's sums.
struct Tally {
  double squared_distance, weight, pairs;
};

struct PointSums {
  Moments moments;
  Tally tally;
};

struct PlaneSums {
  NormalEquations<6> equations;
  Tally tally;
};

/// The bins are a histogram of the squared distances of all source points; the last one: nothing within reach.
inline constexpr int beyond_reach_bin = residual_histogram::bins - 1;

DOVETAIL_HD inline int distance_bin(float squared_distance) { return residual_histogram::bin(squared_distance); }

DOVETAIL_HD inline float squared_limit(double distance) {
  const double squared = distance * distance;
  return squared < 3e38 ? static_cast<float>(squared) : 3e38f;
}
/// How far a pass looks for a counterpart.
DOVETAIL_HD inline float search_squared(const State& state) { return squared_limit(state.max_distance); }
/// How near a counterpart must be to be used.
DOVETAIL_HD inline float used_squared(const State& state) {
  return squared_limit(state.trim_distance > 0 ? state.trim_distance : state.max_distance);
}

DOVETAIL_HD inline PairSettings pair_settings(const Params& params, const State& state) {
  const LevelPlan& plan = params.level[state.level];
  PairSettings settings;
  settings.kernel = plan.kernel;
  settings.kernel_on_distance = plan.kernel_on_distance;
  settings.inverse_scale_squared = static_cast<float>(1.0 / (state.kernel_scale * state.kernel_scale));
  settings.flatness = static_cast<float>(state.flatness);
  for (int i = 0; i < 3; ++i) settings.center[i] = static_cast<float>(state.center[i]);
  return settings;
}

/// Sets what the next pass reads, for the first pass of a level (`histogram` null) or from the pass before.
DOVETAIL_HD inline void follow_schedule(const Params& params, State& state, const std::uint32_t* histogram) {
  const LevelPlan& plan = params.level[state.level];
  const double done = plan.anneal > 0 ? fmin(1.0, static_cast<double>(state.level_iteration) / plan.anneal) : 1.0;
  state.kernel_scale = plan.first_scale * pow(plan.last_scale / plan.first_scale, done);
  if (state.widest_scale > 0) {
    state.kernel_scale = fmin(state.kernel_scale, fmax(state.widest_scale, plan.last_scale));
  }
  state.flatness = plan.first_flatness * pow(plan.last_flatness / plan.first_flatness, done);
  state.max_distance = plan.reach * state.kernel_scale;
  if (params.max_distance > 0) state.max_distance = fmin(state.max_distance, params.max_distance);
  state.trim_distance = 0;
  if (params.overlap > 0 && histogram != nullptr) {
    const double limit = sqrt(static_cast<double>(residual_histogram::quantile(histogram, params.overlap)));
    state.trim_distance = fmin(limit, state.max_distance);
  }
}

/// A state at the start of the schedule.
DOVETAIL_HD inline State first_state(const Params& params, State state) {
  state.status = Status::running;
  state.level_iteration = 0;
  follow_schedule(params, state, nullptr);
  return state;
}

DOVETAIL_HD inline Body body_of(const State& state) { return {state.target_from_source, state.center, state.radius}; }

/// Pairs and the observed pose together (9)-(11).
DOVETAIL_APART inline Step fit_observed_step(const Params& params, const State& state, const PlaneSums& sums) {
  NormalEquations<6> pairs = sums.equations;
  pairs.jtr = pairs.jtr - params.rest;
  const NormalEquations<6> both =
      with_observed(held_part(pairs, params.pairs_hold), params.pair_variance, params.observed, body_of(state));
  return solve_step(body_of(state), both, params.free);
}

DOVETAIL_HD inline Step fit_step(const Params& params, const State& state, const PlaneSums& sums) {
  if (params.pair_variance > 0) return fit_observed_step(params, state, sums);
  if (params.weak_share > 0) return solve_held_step(body_of(state), sums.equations, params.free, params.weak_share);
  return solve_step(body_of(state), sums.equations, params.free);
}

DOVETAIL_HD inline Step fit_step(const Params& params, const State& state, const PointSums& sums) {
  return fit_moments(body_of(state), sums.moments, {params.dimension, params.estimate_scale, params.free});
}

/// One iteration's end: fit (3)-(7), schedule, stopping rule.
template <class Sums>
DOVETAIL_HD inline void advance(const Params& params, State& state, const Sums& sums, const std::uint32_t* histogram) {
  ++state.iteration;
  ++state.level_iteration;
  state.pass_level = state.level;
  state.pass_distance = state.trim_distance > 0 ? state.trim_distance : state.max_distance;
  double points = 0;
  for (int i = 0; i < residual_histogram::bins; ++i) points += histogram[i];
  state.rmse = sums.tally.weight > 0 ? sqrt(sums.tally.squared_distance / sums.tally.weight) : 0;
  state.used_ratio = points > 0 ? sums.tally.pairs / points : 0;
  const double least_pairs = params.dimension == 2 ? 2 : 3;
  if (sums.tally.pairs < least_pairs) {
    state.status = Status::no_correspondences;
    return;
  }
  const Step step = fit_step(params, state, sums);
  if (!step.solved) {
    state.status = Status::degenerate;
    return;
  }
  state.target_from_source = step.target_from_source;
  state.motion = step.motion;

  const LevelPlan& plan = params.level[state.level];
  const bool settled = state.level_iteration > plan.anneal && step.motion <= plan.tolerance;
  const bool spent = state.level_iteration >= plan.max_iterations;
  if (!settled && !spent) return follow_schedule(params, state, histogram);
  if (static_cast<int>(state.level) + 1 >= params.levels) {
    state.status = settled ? Status::converged : Status::max_iterations;
    return;
  }
  ++state.level;
  state.level_iteration = 0;
  follow_schedule(params, state, nullptr);
}

/// The method as machines see it, one for each metric.
template <Metric which, class SumsOfMetric>
struct Variant : MethodDefaults {
  using Data = SurfacePair;
  using Params = icp::Params;
  using State = icp::State;
  using Sums = SumsOfMetric;
  static constexpr Metric metric = which;

  static std::uint32_t bins(const Params&) { return residual_histogram::bins; }
  DOVETAIL_HD static std::uint32_t data_index(const Params&, const State& state) {
    return state.coarsest + state.level;
  }
  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.source.count; }
  DOVETAIL_HD static bool finished(const State& state) { return state.status != Status::running; }
  DOVETAIL_HD static void advance(const Params& params, State& state, const Sums* sums, const std::uint32_t* bins) {
    icp::advance(params, state, *sums, bins);
  }
};

using PointToPoint = Variant<Metric::point_to_point, PointSums>;
using PointToPlane = Variant<Metric::point_to_plane, PlaneSums>;
using PlaneToPlane = Variant<Metric::plane_to_plane, PlaneSums>;

}  // namespace dovetail::icp
