// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "judge/pair_errors.h"
#include "search/icp_search.h"

namespace dovetail {

/// Where pairs and a known start together come to rest, with the states on the way there.
struct SettledWithStart {
  icp::State state;
  std::vector<icp::State> trace;
  StopRequest stopped = StopRequest::none;
};

/// What pairs of a variance hold at a pose where they rest. Noise of normals looks like a little curvature, so that
/// along weak directions the pose is moved to both sides, until points have other neighbours: what is held pulls back.
PairsHold measure_hold(const NormalEquations<6>& shape, double pair_variance, const icp::State& rest,
                       const IcpContext& context);

/// Goes on from where the pairs alone came to rest, at the finest level, with the start as an observation beside them.
/// What the pairs hold is told by their distances to planes, whatever the metric; where they rest, by the metric. The
/// state comes back as it was where the pairs do not tell what they are worth, or get lost on the way. `full` has all
/// points.
SettledWithStart settle_with_start(const icp::State& rest, const ObservedPose& start, const IcpContext& context,
                                   const Level& full);

}  // namespace dovetail
