// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/registration.h"

namespace dovetail {

/// The logarithm of the odds that an answer is right, as far as its own evidence tells. Ranks answers.
double log_odds(const Quality& quality);

/// Sets the confidence of a result and of its alternatives, which are other answers to the same question: one of them
/// is right at most.
void tell_confidence(Registration& result);

}  // namespace dovetail
