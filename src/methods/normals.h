// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "methods/method.h"
#include "spatial/normal_from_neighbours.h"

namespace dovetail {

/// Normals of a tree's points from their nearest neighbours: a pass that writes one for every slot of the tree.
struct Normals : OnePass {
  struct Data {
    KdTreeView tree;
    const std::uint32_t* order;  ///< where the normal of each slot is written; null: by slot
    float *x, *y, *z;
    float* variation;      ///< null: nobody asks
    Surroundings* around;  ///< likewise; always by slot
  };
  using Params = NormalSettings;
  struct State {
    std::uint32_t data = 0;
    bool done = false;
  };
  struct Sums {
    double known;
  };

  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.tree.count; }

  template <class Search>
  DOVETAIL_HD static void add_item(const Data& data, const Params& params, const State&, std::uint32_t slot,
                                   const Search& search, Sums& sums) {
    const TreePoint p = data.tree.points[slot];
    KNearest<max_normal_neighbours> neighbours(params.neighbours, INFINITY);
    search.offer(data.tree, p, neighbours);
    const NormalEstimate estimate = normal_from_neighbours(data.tree, {p.x, p.y, p.z}, neighbours, params);
    const std::uint32_t to = data.order != nullptr ? data.order[slot] : slot;
    data.x[to] = estimate.normal[0];
    data.y[to] = estimate.normal[1];
    data.z[to] = estimate.normal[2];
    if (data.variation != nullptr) data.variation[to] = estimate.variation;
    if (data.around != nullptr) data.around[slot] = estimate.around;
    sums.known += squared_norm(estimate.normal) > 0 ? 1 : 0;
  }
};

}  // namespace dovetail
