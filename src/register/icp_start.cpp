// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "register/icp_start.h"

#include <algorithm>

#include "judge/covariance.h"

namespace dovetail {

namespace {

/// Far more than pairs that rest already need to come to rest again.
constexpr int most_iterations = 50;

/// Of the largest curvature: with less, a direction may be held by the noise of normals alone, as covariance.h tells.
constexpr double noise_share = 1e-3;

/// Deviations of what chance makes of a pull: less is none.
constexpr double significant = 4;

/// What points do where nothing but their normals' noise holds them shows once each has another neighbour.
double shift_to_other_neighbours(const icp::State& rest, const Prepared& prepared) {
  return std::max({0.5 * rest.kernel_scale, prepared.source->scale.spacing, prepared.target->scale.spacing});
}

}  // namespace

PairsHold measure_hold(const NormalEquations<6>& shape, double pair_variance, const icp::State& rest,
                       const IcpContext& context) {
  const icp::Params& params = context.plan.params;
  const int last = context.plan.last_level();
  Vector<double, 6> units{};
  for (int i = 0; i < 6; ++i) units[i] = i < 3 ? 1 / rest.radius : 1.0;
  const auto parts = solve_truncated(shape.jtj, Vector<double, 6>{}, std::max(noise_share, params.weak_share), units,
                                     params.free & all_unknowns(6));
  const double shift = shift_to_other_neighbours(rest, context.prepared);
  PairsHold hold;
  for (int k = 0; k < 6; ++k) {
    if ((parts.weak >> k & 1u) == 0) continue;
    Vector<double, 6> way{};
    for (int i = 0; i < 6; ++i) way[i] = units[i] * parts.vectors(i, k);
    double pull[2];
    for (const int side : {0, 1}) {
      icp::State moved = rest;
      const Rigid3 step = step_about(rest.center, (side == 0 ? -shift : shift) * way);
      moved.target_from_source = Similarity3::from(step) * rest.target_from_source;
      const SurfacePair& finest = context.levels[static_cast<std::size_t>(last)];
      const NormalEquations<6> there = plane_equations(context.plan, last, moved, finest, context.backend);
      pull[side] = there.weight > 0 ? dot(way, there.jtr) * shape.weight / there.weight : 0;
    }
    const double promised = std::max(0.0, parts.eigenvalues[k]), found = (pull[1] - pull[0]) / (2 * shift);
    const double by_chance = std::sqrt(pair_variance * promised / 2) / shift;
    const double held = found > significant * by_chance ? std::min(1.0, found / promised) : 0;
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        const double along = parts.vectors(i, k) / units[i] * parts.vectors(j, k) * units[j];
        hold.curvature(i, j) -= (1 - std::sqrt(held)) * along;
        if (held == 0) hold.pull(i, j) -= along;
      }
    }
  }
  return hold;
}

SettledWithStart settle_with_start(const icp::State& rest, const ObservedPose& start, const IcpContext& context,
                                   const Level& full) {
  SettledWithStart settled{rest, {}};
  const int last = context.plan.last_level();
  const SurfacePair& finest = context.levels[static_cast<std::size_t>(last)];
  const bool lost = rest.status == Status::no_correspondences || rest.status == Status::degenerate;
  if (lost || static_cast<int>(rest.level) != last) return settled;
  const NormalEquations<6> shape = plane_equations(context.plan, last, rest, finest, context.backend);
  const std::optional<double> variance =
      pair_variance(shape, {rest.target_from_source, rest.center, context.plan.params.free, false}, context.prepared,
                    full, rest.max_distance, context.backend);
  if (!variance) return settled;

  Batch<icp::PointToPlane> batch;
  batch.params = context.plan.params;
  batch.params.levels = 1;
  icp::LevelPlan& level = batch.params.level[0] = context.plan.params.level[last];
  level.first_scale = level.last_scale;
  level.anneal = 0;
  level.max_iterations = most_iterations;
  batch.params.pairs_hold = measure_hold(shape, *variance, rest, context);
  batch.params.pair_variance = *variance;
  batch.params.observed = start;
  batch.params.rest = shape.jtr;
  batch.data = {finest};
  batch.states = {rest};
  icp::State& state = batch.states[0];
  state.coarsest = state.level = 0;
  state.level_iteration = 0;
  state.status = Status::running;
  batch.traced = 0;
  batch.max_iterations = most_iterations;
  batch.control = context.control;
  context.backend.run(batch);
  const bool astray = state.status == Status::no_correspondences || state.status == Status::degenerate;
  if (astray) return settled;
  settled.state = state;
  settled.trace = std::move(batch.trace);
  settled.stopped = batch.stopped;
  settled.state.level = static_cast<std::uint32_t>(last);
  for (icp::State& row : settled.trace) row.pass_level = static_cast<std::uint32_t>(last);
  return settled;
}

}  // namespace dovetail
