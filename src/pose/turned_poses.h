// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "pose/fine_scene.h"
#include "pose/part_candidate.h"

namespace dovetail::pose {

/// Poses that may look much like candidates: what of each is seen, turned by quarter and half turns about its own main
/// axes, and refined. A plate may lie the other way round, the third arm of a pipe where the second seems to be. Only
/// those that explain as much as half of what it does; verified, and not like it.
std::vector<PartCandidate> turned_poses(const FineScene& scene, std::span<const PartCandidate> candidates,
                                        const Control& control);

}  // namespace dovetail::pose
