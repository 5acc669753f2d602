// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "prepare/levels.h"

namespace dovetail {

/// Which points of a level, by slot of its tree, lie on a plane that extends beyond `extent` to both sides, within
/// `distance`: 1, else 0.
std::vector<char> on_large_planes(const TargetLevel& level, double extent, double distance, std::uint64_t seed,
                                  Backend& backend);

}  // namespace dovetail
