// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "dovetail/transform.h"

namespace dovetail::app {

/// The moved cloud. A projective pose sends points on its horizon to infinity and those beyond it to the other side of
/// the plane: they become invalid (NaN), and a warning on stderr says how many of `file` they are.
PointCloud move_points(const Transform& pose, const PointCloud& cloud, const std::string& file);

}  // namespace dovetail::app
