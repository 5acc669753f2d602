// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/registration.h"
#include "judge/contacts.h"
#include "methods/observed_pose.h"

namespace dovetail {

/// What speaks for and against an answer, from where both surfaces meet. `free` are the motions that were to be found,
/// a bit for each of three rotations and three shifts. A start that is known holds what it knows, too.
std::vector<Evidence> evidence_of(const Contact& contact, const Similarity3& pose, const Prepared& prepared,
                                  unsigned free, const std::optional<ObservedPose>& known_start);

}  // namespace dovetail
