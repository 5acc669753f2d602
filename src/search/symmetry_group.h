// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/symmetry.h"
#include "search/symmetry_fit.h"

namespace dovetail {

/// The rotations that map a surface onto itself.
struct FoundGroup {
  SymmetryKind kind = SymmetryKind::none;
  int order = 1;                                ///< of the main axis; 0: turns freely
  std::vector<Mat3> motions{Mat3::identity()};  ///< in the group's own frame, the identity first
  GroupPlacement placement;
  double deviation = 0;

  bool turns_freely() const { return kind >= SymmetryKind::revolution; }
};

FoundGroup find_group(const SymmetrySurface& surface, int max_order);

/// Whether a motion with a reflection maps the surface onto itself.
bool equals_mirror_image(const SymmetrySurface& surface, const FoundGroup& group);

}  // namespace dovetail
