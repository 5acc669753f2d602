// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>

#include "methods/chamfer_points.h"
#include "spatial/line_map.h"

// The last stage where the reference is lines in the plane: how probable it is to observe the points where they are,
// given how many points each stretch of the lines has and how far they scatter about it. The same steps as chamfer
// alignment, over other sums. docs/methods/chamfer.md has the equations.

namespace dovetail::chamfer {

/// Points farther than this many standard deviations from a line do not see it; so that hardly anything jumps there,
/// the bell is lowered by what it has left at that distance across. (Beyond the ends 3e-7 of it is cut off.)
inline constexpr float line_reach = 5;
inline constexpr float bell_at_reach = 3.7266532e-6f;
/// Where lines are less dense than this there are none.
inline constexpr float least_density = 1e-30f;

/// The numbers a pass among lines needs besides the transform, in local units.
struct LineSettings : LookSettings {
  float per_spread = 1;  ///< 1 / standard deviation
  float strays = 1;      ///< density of points that belong to no line
  float volume = 1;      ///< determinant of the transform's matrix: over the depth cubed, how it enlarges areas
  float stiffness = 1;   ///< of the cost, over the scatter of the pulls
};

/// The density of points about one segment, one point on a unit of its length; its gradient, and the distance across.
template <class Real>
struct SegmentDensity {
  Real value = 0, slope[2] = {0, 0}, squared = 0;

  template <class Segment>
  DOVETAIL_HD SegmentDensity(const Segment& s, const Real* point, Real per_spread) {
    const Real dx = point[0] - Real(s.x), dy = point[1] - Real(s.y), ax = Real(s.along_x), ay = Real(s.along_y);
    const Real along = (dx * ax + dy * ay) * per_spread, across = (dy * ax - dx * ay) * per_spread;
    const Real left = Real(s.length) * per_spread - along, reach = Real(line_reach);
    if (!(across < reach && across > -reach && along > -reach && left > -reach)) return;
    const Real root = Real(0.3989422804014327), half = Real(0.7071067811865476);  // 1/sqrt(2 pi), 1/sqrt(2)
    const Real height = std::exp(Real(-0.5) * across * across);
    const Real bell = root * per_spread * (height - Real(bell_at_reach));
    Real inside = 1, edge = 0;
    if (along < reach || left < reach) {
      inside = Real(0.5) * (std::erf(half * along) + std::erf(half * left));
      edge = root * (std::exp(Real(-0.5) * along * along) - std::exp(Real(-0.5) * left * left));
    }
    value = bell * inside;
    const Real by_across = -across * per_spread * root * per_spread * height * inside,
               by_along = bell * edge * per_spread;
    slope[0] = by_along * ax - by_across * ay;
    slope[1] = by_along * ay + by_across * ax;
    squared = across * across / (per_spread * per_spread);
  }
};

/// What a pass among lines reads.
struct LineData {
  CloudView points;
  LinesView lines;
};

/// Moves a point and adds up the densities of the segments near it. A point that is not there: false.
template <bool Projective>
DOVETAIL_HD inline bool look_along_lines(const LineData& data, const FloatMap<2, Projective>& map,
                                         const LineSettings& settings, std::uint32_t i, LineLook<float>& look) {
  const float point[2] = {data.points.x[i], data.points.y[i]};
  look = {};
  look.weight = weight_of(data.points, i);
  if (!is_there<2>(point, look.weight)) return false;
  float moved[2];
  if (!map.apply(point, moved)) return true;
  std::uint32_t first, last;
  data.lines.near(moved, first, last);
  float density = 0, slope[2] = {0, 0}, squared = 0;
  for (std::uint32_t k = first; k < last; ++k) {
    const PeopledSegment s = data.lines.segments[k];
    const SegmentDensity<float> d(s, moved, settings.per_spread);
    density += s.rate * d.value;
    slope[0] += s.rate * d.slope[0];
    slope[1] += s.rate * d.slope[1];
    squared += s.rate * d.value * d.squared;
  }
  if (!(density > least_density)) return true;
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

/// The likelihood of a transform: the steps of Align over the sums of line_terms().
template <class TypedModel>
struct AlignToLines : Align<TypedModel> {
  using Base = Align<TypedModel>;
  using Data = LineData;
  using State = typename Base::State;

  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.points.count; }
  DOVETAIL_HD static LineSettings settings(const Params& params, const State& s) {
    const Stage& stage = params.stage[s.stage];
    LineSettings l;
    l.set(stage.cap, s.frame);
    l.cost_only = s.wants == Wants::cost;
    l.per_spread = static_cast<float>(1 / stage.spread);
    l.strays = static_cast<float>(stage.strays);
    l.volume = static_cast<float>(determinant(s.candidate));
    // A bell w times as wide as points scatter has pulls that scatter w² times less than it curves; strays and the
    // points of other lines pull as before. In between, steps are neither too long nor much too short.
    l.stiffness = static_cast<float>(stage.widened * std::sqrt(stage.widened));
    return l;
  }
};

}  // namespace dovetail::chamfer
