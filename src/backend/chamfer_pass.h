// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/line_counts.h"
#include "backend/observed.h"
#include "backend/problem.h"
#include "methods/chamfer_methods.h"
#include "spatial/field_grid.h"

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

/// A point that is no number, or without weight, is not there.
template <int D>
DOVETAIL_HD inline bool is_there(const float* point, float weight) {
  for (int i = 0; i < D; ++i) {
    if (!(point[i] > -1e30f && point[i] < 1e30f)) return false;
  }
  return weight > 0;
}

/// Moves a point and looks its reference point up. A point that is no number, or without weight, is not there: false.
template <int D, bool Projective>
DOVETAIL_HD inline bool look_up(const FieldView& field, const chamfer::FloatMap<D, Projective>& map, const float* point,
                                float weight, chamfer::Look<float, D>& look) {
  if (!is_there<D>(point, weight)) return false;
  look.weight = weight;
  look.found = 0;
  look.slack = 0;
  const bool seen = map.apply(point, look.moved);
  const std::uint32_t at = seen ? field.site_at<D>(look.moved) : no_site;
  if (at == no_site) {
    for (int i = 0; i < D; ++i) look.moved[i] = look.site[i] = look.normal[i] = 0;
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

/// The same for a point of a level.
template <int D, bool Projective>
DOVETAIL_HD inline bool look_at_point(const LevelView& level, const chamfer::FloatMap<D, Projective>& map,
                                      std::uint32_t i, chamfer::Look<float, D>& look) {
  float point[3] = {level.x[i], level.y[i], 0};
  if constexpr (D == 3) point[2] = level.z[i];
  return look_up<D, Projective>(level.field, map, point, level.weight != nullptr ? level.weight[i] : 1.0f, look);
}

/// How a point of a level misses the reference.
template <int D>
DOVETAIL_HD inline SampleMiss miss_of(const LevelView& level, const chamfer::FloatMap<D, D == 2>& map,
                                      std::uint32_t i) {
  SampleMiss m{};
  chamfer::Look<float, D> look;
  if (!look_at_point<D, D == 2>(level, map, i, look) || !(look.found > 0)) return m;
  const chamfer::Residual<float, D> residual(look);
  for (int a = 0; a < D; ++a) {
    m.place[a] = look.moved[a];
    m.miss[a] = residual.r[a];
  }
  return m;
}

/// The same for all of them, on the host.
template <int D>
std::vector<SampleMiss> misses_on_host(const LevelView& level, const Matrix<double, D + 1, D + 1>& t) {
  const chamfer::FloatMap<D, D == 2> map(t);
  std::vector<SampleMiss> all;
  for (std::uint32_t i = 0; i < level.count; ++i) all.push_back(miss_of<D>(level, map, i));
  return all;
}

/// Moves a point and adds up the densities of the segments near it. False as above.
template <bool Projective>
DOVETAIL_HD inline bool look_along_lines(const LevelView& level, const chamfer::FloatMap<2, Projective>& map,
                                         const chamfer::LineSettings& settings, std::uint32_t i,
                                         chamfer::LineLook<float>& look) {
  const float point[2] = {level.x[i], level.y[i]};
  look = {};
  look.weight = level.weight != nullptr ? level.weight[i] : 1.0f;
  if (!is_there<2>(point, look.weight)) return false;
  float moved[2];
  if (!map.apply(point, moved)) return true;
  std::uint32_t first, last;
  level.lines.near(moved, first, last);
  float density = 0, slope[2] = {0, 0}, squared = 0;
  for (std::uint32_t k = first; k < last; ++k) {
    const PeopledSegment s = level.lines.segments[k];
    const chamfer::SegmentDensity<float> d(s, moved, settings.per_spread);
    density += s.rate * d.value;
    slope[0] += s.rate * d.slope[0];
    slope[1] += s.rate * d.slope[1];
    squared += s.rate * d.value * d.squared;
  }
  if (!(density > 1e-30f)) return true;
  const float w = map.depth(point), enlarged = settings.volume / (w * w * w);
  const float all = density * enlarged + settings.strays;
  for (int a = 0; a < 2; ++a) {
    look.moved[a] = moved[a];
    look.pull[a] = -slope[a] * enlarged / all;
  }
  look.cost = -log1pf(density * enlarged / settings.strays);
  look.share = density * enlarged / all;
  look.squared = squared / density;
  return true;
}

/// Shares a point out among the lines near it and the strays: add(number of a tally, what to add).
template <class Add>
DOVETAIL_HD inline void share_out(const LevelView& level, const chamfer::FloatMap<2, true>& map,
                                  const chamfer::LineSettings& settings, float weight_unit, std::uint32_t i,
                                  const Add& add) {
  const float point[2] = {level.x[i], level.y[i]}, weight = level.weight != nullptr ? level.weight[i] : 1.0f;
  if (!is_there<2>(point, weight)) return;
  const float points = weight * weight_unit * LineTally::unit;
  const auto whole = [](float x) { return static_cast<std::uint64_t>(x); };
  float moved[2];
  std::uint32_t first = 0, last = 0;
  if (map.apply(point, moved)) level.lines.near(moved, first, last);
  float density = 0;
  for (std::uint32_t k = first; k < last; ++k) {
    const PeopledSegment s = level.lines.segments[k];
    density += s.rate * chamfer::SegmentDensity<float>(s, moved, settings.per_spread).value;
  }
  if (!(density > 1e-30f)) return add(LineTally::strays, whole(points));
  const float w = map.depth(point), enlarged = settings.volume / (w * w * w);
  const float each = points / (density * enlarged + settings.strays);
  add(LineTally::strays, whole(each * settings.strays));
  const float per_variance = settings.per_spread * settings.per_spread;
  for (std::uint32_t k = first; k < last; ++k) {
    const PeopledSegment s = level.lines.segments[k];
    const chamfer::SegmentDensity<float> d(s, moved, settings.per_spread);
    const float share = each * enlarged * s.rate * d.value;
    if (!(share > 0)) continue;
    add(LineTally::extra + s.part, whole(share));
    add(LineTally::squared, whole(share * d.squared * per_variance));
  }
}

template <class M>
inline constexpr bool is_fit = M::histogram_bins > 0;
template <class M>
inline constexpr bool is_alignment = requires(typename M::State s) {
  s.candidate;
};

}  // namespace dovetail
