// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/morton.h"

#include <algorithm>
#include <cmath>

#include "spatial/bounds.h"
#include "spatial/parallel.h"

namespace dovetail {

void sort_along_curve(std::vector<CodedPoint>& points) {
  parallel_sort(points.begin(), points.end(), [](const CodedPoint& a, const CodedPoint& b) {
    return a.code != b.code ? a.code < b.code : a.index < b.index;
  });
}

std::vector<std::uint32_t> morton_order(std::span<const float> x, std::span<const float> y, std::span<const float> z,
                                        std::span<const std::uint32_t> index) {
  Bounds bounds;
  for (std::size_t i = 0; i < x.size(); ++i) bounds.add({x[i], y[i], z[i]});
  constexpr double last_cell = (std::uint64_t{1} << MortonCode::bits) - 1;
  const double side = bounds.longest_side();
  const double cells_per_length = side > 0 ? last_cell / side : 0;
  const auto cell = [&](float value, int axis) {
    return static_cast<std::uint64_t>(std::clamp((value - bounds.low[axis]) * cells_per_length, 0.0, last_cell));
  };

  std::vector<CodedPoint> coded(x.size());
  std::vector<std::uint32_t> order(x.size());
  constexpr std::size_t grain = 1 << 14;
  parallel_for(x.size(), grain, [&](std::size_t i) {
    const auto position = static_cast<std::uint32_t>(i);
    coded[i] = {morton_code(cell(x[i], 0), cell(y[i], 1), cell(z[i], 2)), index.empty() ? position : index[i],
                position};
  });
  sort_along_curve(coded);
  parallel_for(x.size(), grain, [&](std::size_t i) { order[i] = coded[i].position; });
  return order;
}

}  // namespace dovetail
