// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "prepare/levels.h"

namespace dovetail {

struct LargePlane {
  Vec3 normal{}, through{};
  std::vector<Vec3> points;  ///< on it
};

struct LargePlanes {
  std::vector<LargePlane> planes;
  std::vector<char> on;  ///< by slot of the level's tree: whether a point lies on one of them
};

/// The planes that extend beyond `extent` to both sides, and the points within `distance` of them.
LargePlanes find_large_planes(const TargetLevel& level, double extent, double distance, std::uint64_t seed,
                              Backend& backend);

}  // namespace dovetail
