// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "command.h"

namespace dovetail::app {

/// Adds `pose find`.
void add_pose_find(CLI::App& pose, Action& action);

}  // namespace dovetail::app
