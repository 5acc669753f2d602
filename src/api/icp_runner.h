// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <functional>
#include <vector>

#include "api/icp_plan.h"
#include "backend/backend.h"

namespace dovetail {

/// A batch of ICP states on their way through the levels of a plan, whatever metric each level uses.
struct IcpJourney {
  std::vector<icp::State> states;
  int traced = -1;
  std::vector<icp::State> trace;                    ///< of the traced state
  std::function<bool(const icp::State&)> observer;  ///< false stops
  StopRequest stopped = StopRequest::none;
};

/// A state at the start of the plan.
icp::State start_state(const IcpPlan& plan, const Prepared& prepared, const IcpStart& start, const Vec3& center);

/// Runs the journey through levels 0 to end − 1.
void run_levels(IcpJourney& journey, const IcpPlan& plan, int end, Backend& backend, const Control& control);

/// Equations without a scale, as ones with: its row is zero.
NormalEquations<7> with_scale_row(const NormalEquations<6>& equations);

/// Point-to-plane equations at a pose, at a level that has target normals: what the surface's shape holds fast.
NormalEquations<6> plane_equations(const IcpPlan& plan, const icp::State& state, Backend& backend);

}  // namespace dovetail
