// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <vector>

#include "dovetail/find_parts.h"
#include "pose/range_scene.h"

namespace dovetail::pose {

/// Throws InvalidArgument for what cannot be searched, or not so.
void check_input(const RangeImage& image, const PoseDatabase& database, const FindParts& options);

/// 1 for the pixels in which nothing is looked for.
std::vector<std::uint8_t> left_out_of(const RangeImage& image, const FindParts& options);

/// How much a depth scatters, mm.
double noise_of(const RangeImage& image, const RangeScene& scene);

}  // namespace dovetail::pose
