// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <functional>
#include <span>

#include "pose/drawn_parts.h"
#include "pose/part_candidate.h"

namespace dovetail::pose {

/// Refines candidates by what of them is visible at their poses, by about so many points each, and asks the image what
/// it says of these points; all at once. Stopped before its end it returns nothing.
std::vector<FinePose> refine_visible(const FineScene& scene, std::span<const PartCandidate> candidates,
                                     std::size_t most_points, const std::function<FineSettings(const WantedPart&)>& how,
                                     const Control& control);

/// Draws candidates, refines them by what of them is visible, and tells their evidence; all at once. Those that are
/// nowhere near the truth are left as they are, with the lowest odds, and so are all that it was stopped before.
void verify_and_polish(const FineScene& scene, std::span<PartCandidate> candidates, const Control& control);

}  // namespace dovetail::pose
