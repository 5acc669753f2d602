// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "core/random.h"
#include "methods/method.h"

namespace dovetail {

/// Points as a caller holds them, brought into local coordinates, all of them or some at random: a pass that writes one
/// row an item.
struct LocalPoints : OnePass {
  struct Data {
    const void* raw;            ///< coordinates of a point side by side
    bool is_double;             ///< or float
    std::size_t stride;         ///< bytes from a point to the next
    int dimension;              ///< 2 or 3
    const std::uint32_t* kept;  ///< the points that count; null: all
    const float* raw_weight;    ///< one a point that counts; null: all 1
    std::uint32_t count;        ///< points that count
    std::uint32_t rows;         ///< fewer: one at random out of each run of equally many
    std::uint64_t seed;
    double middle[3];        ///< subtracted from doubles, before they become floats
    float origin[3], scale;  ///< local = (point − origin) × scale
    float *x, *y, *z, *weight;
  };
  struct Params {};
  struct State {
    std::uint32_t data = 0;
    bool done = false;
  };
  struct Sums {
    double rows;
  };

  DOVETAIL_HD static std::uint32_t items(const Data& data, const State&) { return data.rows; }

  /// The point of a row. A sample is a function of seed and row, so nobody has to keep it.
  DOVETAIL_HD static std::uint32_t point_of(std::uint64_t seed, std::uint32_t count, std::uint32_t rows,
                                            std::uint32_t row) {
    if (rows >= count) return row;
    const std::uint64_t first = std::uint64_t{row} * count / rows, last = (std::uint64_t{row} + 1) * count / rows;
    return static_cast<std::uint32_t>(first + RandomStream(seed, row).below(static_cast<std::uint32_t>(last - first)));
  }

  template <class Search>
  DOVETAIL_HD static void add_item(const Data& data, const Params&, const State&, std::uint32_t row, const Search&,
                                   Sums&) {
    const std::uint32_t point = point_of(data.seed, data.count, data.rows, row);
    const std::size_t from = data.kept != nullptr ? data.kept[point] : point;
    const char* const at = static_cast<const char*>(data.raw) + from * data.stride;
    float* const out[3] = {data.x, data.y, data.z};
    for (int a = 0; a < 3; ++a) {
      float p = 0;
      if (a < data.dimension) {
        p = data.is_double ? static_cast<float>(reinterpret_cast<const double*>(at)[a] - data.middle[a])
                           : reinterpret_cast<const float*>(at)[a];
#if defined(__CUDA_ARCH__)
        p = __fmul_rn(__fsub_rn(p, data.origin[a]), data.scale);  // not fused, as on the host
#else
        p = (p - data.origin[a]) * data.scale;
#endif
      }
      out[a][row] = p;
    }
    if (data.weight != nullptr) data.weight[row] = data.raw_weight[point];
  }
};

}  // namespace dovetail
