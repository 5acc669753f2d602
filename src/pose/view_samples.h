// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/rotation.h"

namespace dovetail::pose {

/// Orientations, camera_from_part, in which a camera above sees parts that lie so (scene_from_part, z upwards): from
/// anywhere within `cone` radians of the vertical, turned about its axis in any way. As many as `count`, each resting
/// pose as often as another, give or take one.
std::vector<Quaternion<double>> seen_from_above(std::span<const Mat3> resting, std::size_t count, double cone,
                                                std::uint64_t seed);

/// Random orientations, each as likely as another.
std::vector<Quaternion<double>> any_orientation(std::size_t count, std::uint64_t seed);

}  // namespace dovetail::pose
