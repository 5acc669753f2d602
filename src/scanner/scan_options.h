// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/scanner.h"

namespace dovetail::scanner {

/// Throws InvalidArgument naming the field, its value and what is allowed.
void check(std::span<const ScenePart> scene, const ScanOptions& options);

/// The direction of a pixel's ray in the sensor's frame, unit length, through the middle of the pixel.
Vec3 ray_direction(const ScanOptions& options, int column, int row);

/// What the sensor reports for a pixel whose ray meets the mesh at `range`: NaN when it is lost.
double measured_range(const ScanOptions& options, std::uint64_t pixel, double range);

}  // namespace dovetail::scanner
