// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/host_device.h"
#include "dovetail/reference.h"
#include "spatial/local_cloud.h"

namespace dovetail {

/// A straight piece of a line in the plane, local.
struct LineSegment {
  float x, y;              ///< where it begins
  float along_x, along_y;  ///< unit
  float length;
  std::uint32_t stretch;  ///< which stretch of the lines it belongs to
};

/// The lines of a reference in the plane, every piece once. A stretch of them goes from one end or junction to the
/// next.
struct LineMap {
  std::vector<LineSegment> segments;
  std::uint32_t stretches = 0;

  bool empty() const { return segments.empty(); }
  std::vector<double> stretch_lengths() const;
};

/// Empty where the reference is not in the plane, or has more than lines.
LineMap make_line_map(const Reference& reference, const LocalFrame& frame);

/// The segments that may come within a box; their stretches are numbered anew.
LineMap lines_within(const LineMap& map, const float (&low)[2], const float (&high)[2]);

/// A segment with how many points are to be expected on a unit of its length.
struct alignas(16) PeopledSegment {
  float x, y, along_x, along_y, length, rate;
  std::uint32_t stretch = 0;
};

/// Which segments are near, wherever the memory lies: cells side by side, of each the segments that come within reach.
struct LinesView {
  float origin[2] = {0, 0};
  float per_unit = 1;  ///< 1 / side of a cell
  std::uint32_t cells[2] = {0, 0};
  const std::uint32_t* start = nullptr;  ///< of each cell's segments, row by row; one more for the end
  const PeopledSegment* segments = nullptr;

  /// The numbers of the segments about a point: from `first` up to `last`.
  DOVETAIL_HD void near(const float* point, std::uint32_t& first, std::uint32_t& last) const {
    first = last = 0;
    const float x = (point[0] - origin[0]) * per_unit, y = (point[1] - origin[1]) * per_unit;
    if (!(x >= 0.0f && x < static_cast<float>(cells[0]) && y >= 0.0f && y < static_cast<float>(cells[1]))) return;
    const std::uint32_t cell = static_cast<std::uint32_t>(y) * cells[0] + static_cast<std::uint32_t>(x);
    first = start[cell];
    last = start[cell + 1];
  }
};

/// The same in host memory.
struct LineIndex {
  LinesView grid;  ///< without its arrays
  std::vector<std::uint32_t> start;
  std::vector<PeopledSegment> segments;

  LinesView view() const;
  void set_rates(std::span<const double> rates);
};

/// Each point within `reach` of a segment has it in its cell. `rates` is one number a stretch. `points` is how many
/// will be looked up: for many of them cells are small, which takes longer to make and leaves fewer segments to a cell.
LineIndex make_line_index(const LineMap& map, std::span<const double> rates, double reach, std::size_t points);

}  // namespace dovetail
