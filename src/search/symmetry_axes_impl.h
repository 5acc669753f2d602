// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/symmetry_axes.h"
#include "spatial/parallel.h"

namespace dovetail {

template <class MotionAbout>
std::vector<Vec3> best_directions(const SymmetrySurface& surface, const std::vector<Vec3>& directions, std::size_t most,
                                  const MotionAbout& motion_about) {
  constexpr double apart = 0.12;  // radians; what is nearer is fitted to the same axis
  std::vector<double> scores(directions.size());
  parallel_for(directions.size(), 16,
               [&](std::size_t i) { scores[i] = mean_square(surface, motion_about(directions[i]), {}); });
  std::vector<std::size_t> order(directions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  std::vector<Vec3> best;
  for (const std::size_t i : order) {
    if (best.size() == most) break;
    const auto near = [&](const Vec3& other) { return norm(cross(other, directions[i])) < std::sin(apart); };
    if (std::none_of(best.begin(), best.end(), near)) best.push_back(directions[i]);
  }
  return best;
}

}  // namespace dovetail
