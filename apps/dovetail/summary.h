// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/registration.h"

namespace dovetail::app {

/// The result in a few lines for a person, on stdout.
void print_summary(const Registration& result);

/// The result's warnings, on stderr: for when stdout is not for people.
void print_warnings(const Registration& result);

}  // namespace dovetail::app
