// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <functional>
#include <vector>

#include "backend/backend.h"
#include "search/starts.h"

namespace dovetail {

/// A batch of ICP states on their way through the levels of a plan, whatever metric each level uses.
struct IcpJourney {
  std::vector<SurfacePair> data;  ///< of the plan's levels, coarse to fine
  std::vector<icp::State> states;
  int traced = -1;
  std::vector<icp::State> trace;                    ///< of the traced state
  std::function<bool(const icp::State&)> observer;  ///< false stops
  std::function<void(const icp::State&)> onlooker;
  StopRequest stopped = StopRequest::none;
};

/// A state at the start of the plan.
icp::State start_state(const IcpPlan& plan, const Prepared& prepared, const IcpStart& start, const Vec3& center);

/// Runs the journey through levels 0 to end − 1.
void run_levels(IcpJourney& journey, const IcpPlan& plan, int end, Backend& backend, const Control& control);

/// Point-to-plane equations at a pose, as a plan's level sees a pair of surfaces: what their shape holds fast.
NormalEquations<6> plane_equations(const IcpPlan& plan, int level, const icp::State& state, const SurfacePair& pair,
                                   Backend& backend);

}  // namespace dovetail
