// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "pose/vsd.h"

namespace dovetail::pose {

/// 0.05, 0.10 … 0.50, in diameters; also those of VSD.
inline std::vector<double> share_thresholds() {
  const auto steps = steps_of_a_twentieth();
  return {steps.begin(), steps.end()};
}
/// 5, 10 … 50 pixels of an image 640 wide.
inline std::vector<double> pixel_thresholds() { return {5, 10, 15, 20, 25, 30, 35, 40, 45, 50}; }
/// 2, 4 … 20 millimetres.
inline std::vector<double> millimetre_thresholds() { return {2, 4, 6, 8, 10, 12, 14, 16, 18, 20}; }

/// Below a tenth: of the diameter (ADD, ADI, Brégier), of the bounding box's diagonal (vertex error).
inline constexpr double a_tenth = 0.1;
/// Truths that are visible by less are ignored in detection.
inline constexpr double least_visible = 0.1;
/// Truths that are not visible by more are ignored in bulk.
inline constexpr double least_visible_in_bulk = 0.5;

}  // namespace dovetail::pose
