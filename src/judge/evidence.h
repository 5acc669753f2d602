// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/registration.h"
#include "judge/contacts.h"

namespace dovetail {

/// What speaks for and against an answer, from where both surfaces meet. `free` are the motions that were to be found,
/// a bit for each of three rotations and three shifts.
std::vector<Evidence> evidence_of(const Contact& contact, const Similarity3& pose, const Prepared& prepared,
                                  unsigned free);

}  // namespace dovetail
