// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <string_view>

#include "dovetail/resting.h"

namespace dovetail::io {

/// Reads a file of resting poses that is in memory. `file` is its name for messages.
RestingPoses parse_resting_poses(const std::string& file, std::string_view bytes);

}  // namespace dovetail::io
