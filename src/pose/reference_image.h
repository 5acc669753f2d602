// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "dovetail/pose_database.h"
#include "pose/depth_renderer.h"

namespace dovetail::pose {

/// Renders one reference of a part: `part` tells size, scale and what is an edge, `mesh` is its surface about the
/// centre. Fills `image` and all of `reference` but its share.
void render_reference(const PoseReferences& part, const RenderMesh& mesh, const Quaternion<double>& orientation,
                      PoseReference& reference, std::span<ReferencePixel> image);

}  // namespace dovetail::pose
