// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "dovetail/registration.h"
#include "prepare/levels.h"

namespace dovetail {

/// How well each of some poses fits, over the points of a level.
std::vector<Quality> evaluate_poses(const Prepared& prepared, const Run& run, Backend& backend, const Level& level,
                                    std::span<const Similarity3> poses);

}  // namespace dovetail
