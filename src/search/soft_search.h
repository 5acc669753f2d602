// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "backend/backend.h"
#include "prepare/soft_plan.h"

namespace dovetail {

struct SoftSearch {
  std::vector<Similarity3> ranked;  ///< different answers, the best first
  StopRequest stopped = StopRequest::none;
};

/// A state at the beginning of a schedule's last level.
soft::State soft_state(const soft::Params& params, const Prepared& prepared, const Similarity3& pose);

/// What a search works with.
struct SoftContext {
  const Prepared& prepared;
  const SoftPlan& plan;
  std::span<const soft::Data> levels;  ///< of the plan
  Backend& backend;
  const Control& control;
};

/// Takes all starts about the given ones through the stages of a plan and ranks what they reach.
SoftSearch search_soft_starts(const SoftContext& context, const std::vector<Similarity3>& given);

}  // namespace dovetail
