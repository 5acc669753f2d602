// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "dovetail/matrix.h"

namespace dovetail {

/// The largest distance between any two of the points, all finite: exact. About n log n, on a sphere too.
double largest_distance(std::span<const Vec3> points);

}  // namespace dovetail
