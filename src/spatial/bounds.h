// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "dovetail/points_view.h"

namespace dovetail {

/// An axis-aligned box around points; empty until one is added.
struct Bounds {
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  Vec3 low{infinity, infinity, infinity};
  Vec3 high{-infinity, -infinity, -infinity};

  bool empty() const { return !(low[0] <= high[0]); }
  void add(const Vec3& p) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
  void join(const Bounds& other) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], other.low[axis]);
      high[axis] = std::max(high[axis], other.high[axis]);
    }
  }
  Vec3 sides() const { return empty() ? Vec3{} : high - low; }
  double longest_side() const {
    const Vec3 s = sides();
    return std::max({s[0], s[1], s[2]});
  }
  double diagonal() const { return norm(sides()); }
  Vec3 center() const { return empty() ? Vec3{} : low + 0.5 * (high - low); }

  /// The largest distance along an axis from the box to p; 0 inside.
  double distance_along_axes(const Vec3& p) const {
    double distance = 0;
    for (int axis = 0; axis < 3; ++axis) distance = std::max({distance, low[axis] - p[axis], p[axis] - high[axis]});
    return distance;
  }
};

/// The box of the points `kept` (indices into `points`).
Bounds bounds_of(const PointsView& points, std::span<const std::uint32_t> kept);

/// The box that float coordinates should be centred on and scaled to: that of all points, unless a few lie so far out
/// that the others would lose their precision. Then it is the box of all but the outermost 0.5% along each axis (at
/// least one point at either end), found from a sample.
Bounds main_bounds(const PointsView& points, std::span<const std::uint32_t> kept);

struct ValueRange {
  double low, high;
};

/// The range of the values without the `trimmed` smallest and the `trimmed` largest, of which at least one is left.
/// Reorders them.
template <class T>
ValueRange trimmed_range(std::vector<T>& values, std::size_t trimmed) {
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(trimmed);
  const auto high = values.end() - 1 - static_cast<std::ptrdiff_t>(trimmed);
  std::nth_element(values.begin(), low, values.end());
  const T low_value = *low;  // the next line moves it
  std::nth_element(low, high, values.end());
  return {double(low_value), double(*high)};
}

}  // namespace dovetail
