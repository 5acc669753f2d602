// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/find_parts.h"
#include "pose/part_choice.h"

namespace dovetail::pose {

/// Counts the scene's pixels and warns of what looks wrong: no depth, parts of another unit than the image.
void tell_sizes(const RangeScene& scene, const std::vector<WantedPart>& wanted, Found& found);

/// What was chosen as a list for the user, in the order of picking.
void tell_parts(const PartChoice& choice, const FindParts& options, Found& found);

}  // namespace dovetail::pose
