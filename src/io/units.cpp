// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "dovetail/error.h"

namespace dovetail {

double millimetres_in(const std::string& what, const std::string& unit) {
  if (unit.empty()) return 0;
  for (const auto& [name, size] : {std::pair{"mm", 1.0}, {"cm", 10.0}, {"m", 1000.0}, {"inch", 25.4}}) {
    if (unit == name) return size;
  }
  throw InvalidArgument(fmt::format("{}: '{}' is not allowed; allowed: mm, cm, m, inch", what, unit));
}

double likely_depth_unit(std::span<const float> depths) {
  std::vector<float> seen;
  std::copy_if(depths.begin(), depths.end(), std::back_inserter(seen), [](float d) { return d > 0; });
  if (seen.empty()) return 1;
  const auto middle = seen.begin() + static_cast<std::ptrdiff_t>(seen.size() / 2);
  std::nth_element(seen.begin(), middle, seen.end());
  return *middle < 20 ? 1000 : 1;
}

Vec3 sides_of(const PointCloud& part) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Vec3 low{far, far, far}, high{-far, -far, -far};
  for (const Vec3& p : part.positions) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  }
  return part.empty() ? Vec3{} : high - low;
}

double likely_part_unit(const PointCloud& part) { return norm(sides_of(part)) < 1 ? 1000 : 1; }

}  // namespace dovetail
