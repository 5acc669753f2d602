// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dovetail::pose {

/// Marks the edges of a depth image, row by row: pixels with a depth whose right, left, upper or lower neighbour is
/// farther away by more than `step`, or has no depth (0). The nearer of two pixels is the edge, for it is that surface
/// which ends there. What lies outside of the image says nothing.
std::vector<std::uint8_t> depth_edges(std::span<const float> depth, int width, int height, double step);

/// The exact Euclidean distance in pixels from the centre of each pixel to that of the nearest edge pixel, at most
/// `limit`; negative where there is no depth. 0 is an edge.
std::vector<float> edge_distance(std::span<const float> depth, std::span<const std::uint8_t> edges, int width,
                                 int height, double limit);

}  // namespace dovetail::pose
