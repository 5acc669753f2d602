// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "methods/chamfer_lines.h"

namespace dovetail {

/// How many points each stretch of some lines has: each point counts for all it may belong to, by how probable that is
/// with the rates that the lines have. The bins are the stretches, a point in one is `unit`: integers add up to the
/// same in whatever order.
struct LineCount : OnePass {
  using Data = chamfer::LineData;
  using Bin = std::uint64_t;
  using Map = chamfer::FloatMap<2, true>;
  static constexpr float unit = 16777216;

  struct Params {
    std::uint32_t stretches = 0;    ///< that the lines have
    double spread = 1, strays = 1;  ///< as chamfer::Stage has them
    double weight_unit = 1;         ///< what weights are multiplied by
  };
  struct State {
    std::uint32_t data = 0;
    bool done = false;
    Matrix<double, 3, 3> target_from_source = Matrix<double, 3, 3>::identity();  ///< local
  };
  struct Sums {
    double strays;   ///< points of no stretch
    double squared;  ///< squared distance to the lines, over the points on them
  };

  static std::uint32_t bins(const Params& params) { return params.stretches; }
  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.points.count; }
  DOVETAIL_HD static chamfer::LineSettings settings(const Params& params, const State& state) {
    chamfer::LineSettings s;
    s.per_spread = static_cast<float>(1 / params.spread);
    s.strays = static_cast<float>(params.strays);
    s.volume = static_cast<float>(determinant(state.target_from_source));
    return s;
  }
  DOVETAIL_HD static std::uint64_t whole(float points) { return static_cast<std::uint64_t>(points * unit); }

  /// Shares a point out among the lines near it and the strays: add(number of the sum, points), bin(stretch, units).
  template <class Add, class AddToBin>
  DOVETAIL_HD static void share_out(const Data& data, const Map& map, const chamfer::LineSettings& settings,
                                    float weight_unit, std::uint32_t i, const Add& add, const AddToBin& add_to_bin) {
    const float point[2] = {data.points.x[i], data.points.y[i]}, weight = chamfer::weight_of(data.points, i);
    if (!chamfer::is_there<2>(point, weight)) return;
    const float points = weight * weight_unit;
    float moved[2];
    std::uint32_t first = 0, last = 0;
    if (map.apply(point, moved)) data.lines.near(moved, first, last);
    float density = 0;
    for (std::uint32_t k = first; k < last; ++k) {
      const PeopledSegment s = data.lines.segments[k];
      density += s.rate * chamfer::SegmentDensity<float>(s, moved, settings.per_spread).value;
    }
    if (!(density > chamfer::least_density)) return add(0, double{points});
    const float w = map.depth(point), enlarged = settings.volume / (w * w * w);
    const float each = points / (density * enlarged + settings.strays);
    add(0, double{each * settings.strays});
    for (std::uint32_t k = first; k < last; ++k) {
      const PeopledSegment s = data.lines.segments[k];
      const chamfer::SegmentDensity<float> d(s, moved, settings.per_spread);
      const float share = each * enlarged * s.rate * d.value;
      if (!(share > 0)) continue;
      add_to_bin(s.stretch, whole(share));
      add(1, double{share * d.squared});
    }
  }
};

}  // namespace dovetail
