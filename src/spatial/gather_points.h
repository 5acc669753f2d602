// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>

#include "dovetail/points.h"

namespace dovetail {

/// The cloud of the points `kept` (no index twice), in that order, with all they carry. Faces all of whose corners are
/// kept come along; the result is not organised.
PointCloud gather_points(const PointCloud& cloud, std::span<const std::uint32_t> kept);

/// Throws InvalidArgument where what a cloud carries does not fit its points: lengths, dimension, corners of faces.
void check_arrays(const PointCloud& cloud);

}  // namespace dovetail
