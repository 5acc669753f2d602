// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/matrix.h"

namespace dovetail::pose {

/// Sets of points, one after another, each about its own middle: in single precision nothing is lost however far out a
/// part lies in its own frame.
struct PointSets {
  struct Set {
    std::uint32_t first = 0, count = 0;
    Vec3 middle{};
    double radius = 0;  ///< of the points about it
  };
  std::vector<Set> sets;
  std::vector<float> x, y, z;
  std::uint32_t largest = 0;  ///< points of the largest set

  /// Room for `count` sets of size_of(i) points each.
  template <class SizeOf>
  void reserve(std::size_t count, const SizeOf& size_of) {
    std::uint32_t all = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto size = static_cast<std::uint32_t>(size_of(i));
      sets.push_back({all, size, {}, 0});
      all += size;
      largest = std::max(largest, size);
    }
    x.resize(all), y.resize(all), z.resize(all);
  }
  /// The points of a set. Sets may be filled at once.
  void fill(std::size_t number, std::span<const Vec3> points) {
    Set& set = sets[number];
    if (points.empty()) return;
    for (const Vec3& p : points) set.middle += p;
    set.middle *= 1.0 / static_cast<double>(points.size());
    std::size_t at = set.first;
    for (const Vec3& p : points) {
      const Vec3 off = p - set.middle;
      set.radius = std::max(set.radius, norm(off));
      x[at] = static_cast<float>(off[0]), y[at] = static_cast<float>(off[1]), z[at] = static_cast<float>(off[2]);
      ++at;
    }
  }
};

}  // namespace dovetail::pose
