// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dovetail/registration.h"

namespace dovetail::app {

/// Names and texts, a line each.
using PoseLines = std::vector<std::pair<const char*, std::string>>;

/// A result's pose for a person: rotation, scale and translation with the digits that the data's size and its distance
/// from the origin ask for; the matrix where these do not say all.
PoseLines pose_lines(const Registration& result);

}  // namespace dovetail::app
