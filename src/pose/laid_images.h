// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/pose_database.h"
#include "pose/scene_window.h"
#include "spatial/laid_image.h"

namespace dovetail::pose {

/// References as the search for rough poses reads them. Of each at most `seeds` places of the part, well inside of its
/// edges and spread over it, are shifts to begin at: the place lies where the window's is, and touches it. With 0 there
/// is one seed, the paper's: the image's middle lies there.
LaidReferences laid_references(const PoseReferences& part, std::size_t seeds);

/// A window as the same search reads it.
LaidWindow laid_window(const SceneWindow& window);

}  // namespace dovetail::pose
