// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/find.h"

namespace dovetail::app {

/// What was found, as a table on stdout. `points` says what was looked at.
void print_found(const Found& found, double min_confidence, const char* points);

}  // namespace dovetail::app
