// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "api/registration_job.h"
#include "api/soft_plan.h"

namespace dovetail {

struct SoftSearch {
  std::vector<Similarity3> ranked;  ///< different answers, the best first
  StopRequest stopped = StopRequest::none;
};

/// A state at the beginning of a schedule's last level.
soft::State soft_state(const soft::Params& params, const Prepared& prepared, const Similarity3& pose);

/// Takes all starts through the stages of a plan and ranks what they reach.
SoftSearch search_soft_starts(const SoftPlan& plan, const RegistrationJob& job);

}  // namespace dovetail
