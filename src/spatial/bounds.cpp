// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/bounds.h"

#include "spatial/parallel.h"
#include "spatial/point_reader.h"

namespace dovetail {
namespace {

constexpr std::size_t largest_sample = 1 << 16;
constexpr std::size_t smallest_trimmed = 10;  // with fewer points, none is an outlier
constexpr double trimmed_ratio = 0.005;
constexpr std::size_t run_size = 1 << 15;  // points that a thread goes through at a time
constexpr double far_out = 8;              // three of the 24 bits of a float

template <class Points>
Bounds trimmed_bounds(const Points& points, std::span<const std::uint32_t> kept) {
  const std::size_t count = std::min(kept.size(), largest_sample);
  const auto trimmed = std::max<std::size_t>(1, static_cast<std::size_t>(trimmed_ratio * double(count)));
  Bounds bounds;
  std::vector<double> values(count);
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t s = 0; s < count; ++s) values[s] = points[kept[s * kept.size() / count]][axis];
    const ValueRange range = trimmed_range(values, trimmed);
    bounds.low[axis] = range.low;
    bounds.high[axis] = range.high;
  }
  return bounds;
}

}  // namespace

Bounds bounds_of(const PointsView& points, std::span<const std::uint32_t> kept) {
  return with_reader(points, [&](const auto& reader) {
    std::vector<Bounds> runs((kept.size() + run_size - 1) / run_size);
    parallel_for(runs.size(), 1, [&](std::size_t r) {
      for (const std::uint32_t i : kept.subspan(r * run_size, std::min(run_size, kept.size() - r * run_size))) {
        runs[r].add(reader[i]);
      }
    });
    Bounds bounds;
    for (const Bounds& run : runs) bounds.join(run);
    return bounds;
  });
}

Bounds main_bounds(const PointsView& points, std::span<const std::uint32_t> kept) {
  const Bounds all = bounds_of(points, kept);
  if (kept.size() < smallest_trimmed) return all;
  const Bounds trimmed = with_reader(points, [&](const auto& reader) { return trimmed_bounds(reader, kept); });
  const double side = trimmed.longest_side();
  return side > 0 && all.longest_side() > far_out * side ? trimmed : all;
}

}  // namespace dovetail
