// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "spatial/kd_tree.h"
#include "spatial/neighbours.h"
#include "spatial/squared_distance.h"

namespace dovetail::reference {

/// The nearest point within a distance, by looking at every one.
inline Neighbour nearest(const KdTreeView& target, const float* query, float max_squared_distance) {
  Nearest result(max_squared_distance);
  for (std::uint32_t slot = 0; slot < target.count; ++slot) {
    const TreePoint& point = target.points[slot];
    result.offer({slot, point.index, squared_distance(query[0] - point.x, query[1] - point.y, query[2] - point.z)});
  }
  return result.best();
}

/// Work in the order it is listed.
inline constexpr auto one_by_one = [](std::size_t count, const auto& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
};

}  // namespace dovetail::reference
