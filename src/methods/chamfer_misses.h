// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "methods/chamfer_points.h"

namespace dovetail::chamfer {

/// An observed point, moved, and its residual; both are zero where the field knows no reference point.
struct Miss {
  float place[3], miss[3];
};

/// By how much each point misses the reference: a pass that writes a row for every point.
template <int Dimension>
struct Misses : OnePass {
  static constexpr int D = Dimension;
  struct Data {
    chamfer::Data looked_up;
    Miss* rows;
  };
  struct Params {};
  struct State {
    std::uint32_t data = 0;
    bool done = false;
    Matrix<double, D + 1, D + 1> target_from_source = Matrix<double, D + 1, D + 1>::identity();
  };
  struct Sums {
    double found;
  };

  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.looked_up.points.count; }

  template <class Search>
  DOVETAIL_HD static void add_item(const Data& data, const Params&, const State& state, std::uint32_t i, const Search&,
                                   Sums& sums) {
    const FloatMap<D, D == 2> map(state.target_from_source);
    Miss m{};
    Look<float, D> look;
    const bool found = look_up<D, D == 2>(data.looked_up.field, map, data.looked_up.points, i, look) && look.found > 0;
    if (found) {
      const Residual<float, D> residual(look);
      for (int a = 0; a < D; ++a) m.place[a] = look.moved[a], m.miss[a] = residual.r[a];
    }
    data.rows[i] = m;
    sums.found += found ? 1 : 0;
  }
};

}  // namespace dovetail::chamfer
