// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/registration.h"
#include "judge/sighting.h"

namespace dovetail {

/// What a sighting says for or against an object being there: docs/find.md has the meaning of each number.
std::vector<Evidence> found_evidence(const Sighting& sighting, double tolerance, bool viewpoint_known);

/// The logarithm of the odds that the object is there, at that pose.
double found_log_odds(const std::vector<Evidence>& evidence);

}  // namespace dovetail
