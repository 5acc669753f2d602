// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/problem.h"
#include "methods/chamfer_methods.h"

namespace dovetail {

/// Where a state's points are looked up: the candidate of an alignment, the transform of the others.
template <class M>
DOVETAIL_HD inline const auto& looked_at(const typename M::State& state) {
  if constexpr (requires { state.candidate; }) {
    return state.candidate;
  } else {
    return state.target_from_source;
  }
}

/// Moves a point of a level and looks it up; false where it does not count.
template <int D, bool Projective>
DOVETAIL_HD inline bool look_at_point(const LevelView& level, const chamfer::FloatMap<D, Projective>& map,
                                      std::uint32_t i, chamfer::Look<float, D>& look) {
  float point[3] = {level.x[i], level.y[i], 0};
  if constexpr (D == 3) point[2] = level.z[i];
  return chamfer::look_up<D, Projective>(level.field, map, point, level.weight != nullptr ? level.weight[i] : 1.0f,
                                         look);
}

template <class M>
inline constexpr bool is_fit = M::histogram_bins > 0;
template <class M>
inline constexpr bool is_alignment = requires(typename M::State s) {
  s.candidate;
};

}  // namespace dovetail
