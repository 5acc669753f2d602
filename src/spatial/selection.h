// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dovetail/points_view.h"

namespace dovetail {

/// A coordinate beyond this counts as not finite: squares and products of it would overflow.
inline constexpr double largest_coordinate = 1e150;

/// So does a point this many times farther from the others than their box (main_bounds) is long: some sensors write a
/// large number where nothing came back, and float coordinates would overflow.
inline constexpr double largest_remoteness = 1e6;

/// The points of a cloud that can be used, by index and in ascending order, and what was left out.
struct Selection {
  std::vector<std::uint32_t> kept;
  std::size_t dropped_non_finite = 0;
  std::size_t dropped_at_origin = 0;
};

/// Leaves out non-finite points and, as asked, marks at the origin. `automatic` takes points at (0, 0, 0) for marks
/// when the cloud is no mesh (a vertex at its origin is a vertex), there are at least two of them (a part scanned
/// around its own origin keeps the one point it may have there), and either
///  - they are many: more than 16 and more than 0.5% of the finite points; measured coordinates do not coincide, or
///  - they stand apart: the origin is farther from the bounding box of the other points than a tenth of its diagonal.
Selection select_usable(const PointsView& points, OriginPoints at_origin = OriginPoints::automatic);

}  // namespace dovetail
