// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "command.h"
#include "dovetail/pose_database.h"

namespace dovetail::app {

/// Adds `pose build`.
void add_pose_build(CLI::App& pose, Action& action);

/// What a database holds, in a few lines on stdout.
void print_database(const PoseDatabase& database);

}  // namespace dovetail::app
