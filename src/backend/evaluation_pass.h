// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/problem.h"
#include "methods/evaluation.h"
#include "methods/float_pose.h"
#include "spatial/neighbours.h"

namespace dovetail {

/// What one source point gives to an evaluation. `find(query, max_squared_distance)` is the machine's nearest
/// neighbour.
template <class Find>
DOVETAIL_HD inline void evaluate_point(const LevelView& level, const Evaluation::Params& params, const FloatPose& pose,
                                       std::uint32_t point, const Find& find, Evaluation::Sums& sums) {
  float moved[3], cosine = 1.0f;
  pose.apply(level.x[point], level.y[point], level.z[point], moved);
  const Neighbour match = find(moved, Evaluation::search_squared(params));
  if (match.found() && level.nx != nullptr && level.target_nx != nullptr) {
    float turned[3];
    pose.rotate(level.nx[point], level.ny[point], level.nz[point], turned);
    cosine = turned[0] * level.target_nx[match.slot] + turned[1] * level.target_ny[match.slot] +
             turned[2] * level.target_nz[match.slot];
  }
  Evaluation::add(params, match.found(), match.squared_distance, cosine, sums);
}

}  // namespace dovetail
