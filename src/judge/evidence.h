// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/registration.h"
#include "judge/contacts.h"

namespace dovetail {

/// What speaks for and against an answer, from where both surfaces meet. `center` is where the pose puts the source's
/// centroid and `radius` its radius there.
std::vector<Evidence> evidence_of(const Contact& contact, const Similarity3& pose, const Prepared& prepared);

}  // namespace dovetail
