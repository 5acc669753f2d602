// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <atomic>

namespace dovetail::app {

/// From now on the first Ctrl-C sets the returned flag, so that a run ends with the pose it has; a second one ends the
/// program.
const std::atomic<bool>& stop_on_interrupt();

}  // namespace dovetail::app
