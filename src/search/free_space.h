// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <optional>

#include "prepare/clouds.h"

namespace dovetail {

/// The share of some points of either cloud that a pose puts where the other's sensor looked through to something
/// behind: the larger one of both. Absent where no viewpoint is known.
std::optional<double> seen_through(const Prepared& prepared, const Similarity3& target_from_source,
                                   std::size_t asked = 1500);

}  // namespace dovetail
