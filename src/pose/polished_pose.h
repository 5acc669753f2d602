// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "pose/part_candidate.h"

namespace dovetail::pose {

/// Draws a candidate, refines it by what of it is visible, and tells its evidence. One that is nowhere near the truth
/// is left as it is, with the lowest odds. `background` is that of background_of().
void verify_and_polish(const RangeScene& scene, const Background& background, PartCandidate& candidate);

}  // namespace dovetail::pose
