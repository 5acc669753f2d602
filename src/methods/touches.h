// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/transform.h"
#include "methods/method.h"
#include "methods/surface_pair.h"
#include "spatial/neighbours.h"

namespace dovetail {

/// A point of the source, where a pose puts it, and the target's surface near it.
struct Touch {
  Vec3 place, normal;
  double off;     ///< along the normal
  double weight;  ///< of the point; 0 where nothing is near
};

/// Some of the source's points, spread over all, and how they touch the target: a pass that writes a row for each.
struct Touches : OnePass {
  struct Data {
    SurfacePair pair;
    Touch* rows;
    std::uint32_t count;  ///< of them
  };
  struct Params {
    double reach = 0;  ///< local
  };
  struct State {
    std::uint32_t data = 0;
    bool done = false;
    Similarity3 target_from_source = Similarity3::identity();
  };
  struct Sums {
    double found;
  };

  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.count; }

  template <class Search>
  DOVETAIL_HD static void add_item(const Data& data, const Params& params, const State& state, std::uint32_t row,
                                   const Search& search, Sums& sums) {
    const CloudView& source = data.pair.source;
    const std::uint64_t i = std::uint64_t{row} * source.count / data.count;
    const double weight = source.weight != nullptr ? double{source.weight[i]} : 1.0;
    const Vec3 y = state.target_from_source * Vec3{double{source.x[i]}, double{source.y[i]}, double{source.z[i]}};
    const float at[3] = {static_cast<float>(y[0]), static_cast<float>(y[1]), static_cast<float>(y[2])};
    const Neighbour near = search.nearest(data.pair.target, at, static_cast<float>(params.reach * params.reach));
    Touch touch{};
    if (near.found() && weight > 0) {
      const TreePoint& q = data.pair.target.points[near.slot];
      const NormalsView& n = data.pair.target_normals;
      touch.normal = {double{n.x[near.slot]}, double{n.y[near.slot]}, double{n.z[near.slot]}};
      touch.place = y;
      touch.off = dot(touch.normal, y - Vec3{double{q.x}, double{q.y}, double{q.z}});
      touch.weight = weight;
    }
    data.rows[row] = touch;
    sums.found += touch.weight > 0 ? 1 : 0;
  }
};

}  // namespace dovetail
