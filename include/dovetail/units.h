// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <string>

#include "dovetail/points.h"

// What one unit of a file is in millimetres, also where nobody says.

namespace dovetail {

/// Millimetres in mm, cm, m or inch; 0 for no name. Throws InvalidArgument for another, naming `what` has it.
double millimetres_in(const std::string& what, const std::string& unit);

/// Millimetres in a unit of depths that are floats: metres where the median of those before the camera is below 20,
/// else millimetres.
double likely_depth_unit(std::span<const float> depths);

/// The sides of the box around a part; 0 where it has no points.
Vec3 sides_of(const PointCloud& part);

/// Millimetres in a unit of a part: metres where the diagonal of its box is less than 1, else millimetres. Parts that a
/// camera looks at are centimetres to decimetres large.
double likely_part_unit(const PointCloud& part);

}  // namespace dovetail
