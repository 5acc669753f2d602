// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/icp.h"
#include "register/job.h"

namespace dovetail {

/// Takes a pose that another method found through the fine levels of ICP and fills in the result from there: pose,
/// quality, covariance; iterations and trace are added to what is there. The job's problems are ICP's afterwards.
void polish_by_icp(const Similarity3& pose, const Icp& options, RegistrationJob& job, Registration& result);

}  // namespace dovetail
