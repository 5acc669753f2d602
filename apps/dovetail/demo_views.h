// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/points.h"
#include "dovetail/transform.h"

namespace dovetail::app {

/// One scan of the part. Its frame is the sensor's.
struct View {
  PointCloud cloud;
  Transform first_from_view;  ///< the truth: brings the scan into the frame of the first one
  Transform guess;  ///< the truth off by guess_angle and guess_shift, as a turntable or a person would know it
};

inline constexpr int view_count = 6;
inline constexpr double sensor_noise = 0.05;  ///< millimetres
inline constexpr double guess_angle = 15;     ///< degrees
inline constexpr double guess_shift = 20;     ///< millimetres

/// Scans the part from all around.
std::vector<View> scan_around(const PointCloud& part);

/// The middle of the part as the first view sees it: where errors of a pose are measured.
Vec3 part_center_in_first_view();

/// Adds a cloud's points, in one colour a view.
void add_view(PointCloud& merged, const PointCloud& cloud, int view);

}  // namespace dovetail::app
