// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "api/registration_job.h"
#include "api/soft_plan.h"

namespace dovetail {

/// One answer on its way.
struct SoftCandidate {
  Similarity3 pose;
  double score = 0;
};

struct SoftSearch {
  std::vector<SoftCandidate> ranked;  ///< different answers, the best first
  int iterations = 0;                 ///< of the longest start
  StopRequest stopped = StopRequest::none;
};

/// A state at the beginning of a schedule.
soft::State soft_state(const soft::Params& params, const Prepared& prepared, const Similarity3& pose,
                       std::uint32_t level);

/// Tries all starts on a part of the points and ranks what they reach.
SoftSearch search_soft_starts(const SoftPlan& plan, const RegistrationJob& job);

}  // namespace dovetail
