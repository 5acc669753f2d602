// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "register/icp_start.h"

#include <algorithm>

#include "judge/covariance.h"

namespace dovetail {

namespace {

/// Far more than pairs that rest already need to come to rest again.
constexpr int most_iterations = 50;

}  // namespace

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
  batch.params.weak_share = std::max(context.plan.params.weak_share, weak_share);
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
