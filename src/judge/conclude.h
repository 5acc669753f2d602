// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/batch.h"
#include "dovetail/registration.h"
#include "methods/method.h"

namespace dovetail {

/// How a state's end is told.
Termination termination_of(Status status, StopRequest stopped);

/// How many points determine a transform.
int least_points(Model model);

/// Sets whether a result is usable, and its message where it has none yet, from the rest.
void conclude(const Run& run, Registration& result);

/// Adds an answer beside the first, which was followed less far.
void add_alternative(const Transform& target_from_source, const Quality& quality, Registration& result);

}  // namespace dovetail
