// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "methods/chamfer.h"

// How a point comes to what the terms of chamfer alignment are made of, one at a time.

namespace dovetail::chamfer {

/// Whether a method moves its transform, and so looks at a candidate.
template <class M>
inline constexpr bool is_alignment = requires(typename M::State s) {
  s.candidate;
};

/// Where a state's points are looked up: the candidate of an alignment, the transform of the others.
template <class M>
DOVETAIL_HD inline const auto& looked_at(const typename M::State& state) {
  if constexpr (is_alignment<M>) {
    return state.candidate;
  } else {
    return state.target_from_source;
  }
}

/// A point that is no number, or without weight, is not there.
template <int D>
DOVETAIL_HD inline bool is_there(const float* point, float weight) {
  for (int i = 0; i < D; ++i) {
    if (!(point[i] > -1e30f && point[i] < 1e30f)) return false;
  }
  return weight > 0;
}

DOVETAIL_HD inline float weight_of(const CloudView& points, std::uint32_t i) {
  return points.weight != nullptr ? points.weight[i] : 1.0f;
}

/// Moves a point and looks its reference point up. A point that is not there: false.
template <int D, bool Projective>
DOVETAIL_HD inline bool look_up(const FieldView& field, const FloatMap<D, Projective>& map, const CloudView& points,
                                std::uint32_t i, Look<float, D>& look) {
  float point[3] = {points.x[i], points.y[i], 0};
  if constexpr (D == 3) point[2] = points.z[i];
  look.weight = weight_of(points, i);
  if (!is_there<D>(point, look.weight)) return false;
  look.found = 0;
  look.slack = 0;
  const bool seen = map.apply(point, look.moved);
  const std::uint32_t at = seen ? field.site_at<D>(look.moved) : no_site;
  if (at == no_site) {
    for (int a = 0; a < D; ++a) look.moved[a] = look.site[a] = look.normal[a] = 0;
    return true;
  }
  const Site site = field.sites[at];
  look.site[0] = site.x;
  look.site[1] = site.y;
  if constexpr (D == 3) look.site[2] = site.z;
  look.found = 1;
  if (site.unpack_normal<D>(look.normal)) look.slack = field.slack();
  return true;
}

}  // namespace dovetail::chamfer
