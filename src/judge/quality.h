// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "dovetail/registration.h"
#include "judge/confidence.h"
#include "prepare/known_start.h"
#include "prepare/levels.h"

namespace dovetail {

/// What kind of answers two prepared clouds have.
Calibration calibration_of(const Prepared& prepared);

/// How well each of some poses fits, over the points of a level, and how likely each is right. `free` are the motions
/// that were to be found from `start`, as free_motions() has them.
std::vector<Quality> evaluate_poses(const Prepared& prepared, const Run& run, Backend& backend, const Level& level,
                                    std::span<const Similarity3> poses, unsigned free, const FirstStart& start);

}  // namespace dovetail
