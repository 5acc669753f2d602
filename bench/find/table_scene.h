// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "core/random.h"
#include "dovetail/scanner.h"
#include "find/cases.h"
#include "find/parts.h"

// Parts on a table, the plane z = 0, and what one camera sees of them.

namespace dovetail::bench::find {

struct Standing {
  const Part* part = nullptr;
  Rigid3 table_from_part;
};

/// Whether a part would pass through one of those that stand there.
bool hits_any(const Standing& part, const std::vector<Standing>& others);

/// Looks from `distance` at a place above the table, `elevation` degrees above the horizon, from `azimuth` radians
/// around.
struct Camera {
  Vec3 at{};
  double distance = 700, elevation = 45, azimuth = 0, field_of_view = 25;
  int width = 320, height = 240;
  double noise = 0;
  std::uint64_t seed = 0;
};

/// What the camera sees: scene, labels, and every part's pose and visible share, in the camera's frame. The table, a
/// square of `table_side`, is part of the scene.
Case seen_by(const Camera& camera, const std::vector<Standing>& parts, double table_side);

/// The share of the camera's pixels that meet something, from a coarse image.
double filled_share(Camera camera, const std::vector<Standing>& parts, double table_side);

}  // namespace dovetail::bench::find
