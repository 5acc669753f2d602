// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "backend/gauss_sum.h"
#include "methods/float_pose.h"
#include "spatial/cluster_bounds.h"

// Gaussian sums by a warp: 32 R rows, R a lane, held in registers, against points that pass through shared memory 32 at
// a time.
//
// With rows and points about the tile's middle c, and k = log2(e) / σ², the exponent of a pair is
//     −k |x − y|² = 2k (x − c)·(y − c) − k |x − c|²  − k |y − c|²
// and its last term, one factor a row, is applied to the finished sums. A pair then takes 3 FFMA for the exponent, one
// MUFU.EX2, one FADD and 3 FFMA: 8 issue slots. A multiprocessor issues 128 lanes a clock and its MUFU does 16, so both
// units are full at 16 pairs a clock and multiprocessor: 4.2e12 pairs/s for 132 of them at 1.98 GHz. One LDS.128 a
// point and about 25 instructions for 32 points leave 3.9e12 of that at R = 4. An H200 does 2.9e12: 80% of its issue
// slots and 72% of its MUFU are busy; the rest is mostly stalls at dispatch (register ports). It needs about 105
// registers: at 80, with more warps, the same instructions run 17% slower. Weights cost nothing: log2 w_j is
// added to the point's constant.

namespace dovetail::cuda {

inline constexpr unsigned whole_warp = 0xffffffffu;

/// Sums are taken over this many points at a time, and those sums then added up: rounding grows with the square root of
/// either number only.
inline constexpr unsigned gauss_run = 1024;

/// Up to this k × radius² of a tile the exponent is taken apart as above: its parts are then at most a few times larger
/// than the exponents that matter, so are their roundings. Larger tiles take differences: 12 issue slots.
inline constexpr float most_shifted = 8.0f;

/// What a warp needs in shared memory.
struct GaussScratch {
  /// A batch of 32 nodes leaves at most 32 for each level on the stack; the walk starts 5 levels down or deeper, and 27
  /// levels hold 2^32 points.
  static constexpr unsigned stack_size = 32 * 24;

  float4 points[2][32];
  float4 moments[moment_stride / 4];
  std::uint32_t stack[stack_size];
};

__device__ inline float exp2_approximate(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

template <class Operation>
__device__ inline float over_warp(float value, const Operation& operation) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) value = operation(value, __shfl_xor_sync(whole_warp, value, offset));
  return value;
}
__device__ inline float warp_least(float value) {
  return over_warp(value, [](float a, float b) { return fminf(a, b); });
}
__device__ inline float warp_most(float value) {
  return over_warp(value, [](float a, float b) { return fmaxf(a, b); });
}
__device__ inline float warp_sum(float value) {
  return over_warp(value, [](float a, float b) { return a + b; });
}

/// Sums of the R rows of a lane. Without `Toward` of the weights alone: 5 issue slots a pair.
template <int R, bool Squares, bool Toward = true>
struct GaussRowSums {
  static constexpr bool with_squares = Squares, with_toward = Toward;
  float weight[R], x[R], y[R], z[R];
  float squares[Squares ? R : 1];

  __device__ void clear() {
#pragma unroll
    for (int r = 0; r < R; ++r) weight[r] = x[r] = y[r] = z[r] = 0;
#pragma unroll
    for (int r = 0; r < (Squares ? R : 1); ++r) squares[r] = 0;
  }
};

/// Rows 32 R tile + 32 r + lane, about the middle of their box.
template <int R>
struct GaussTile {
  float x[R], y[R], z[R];
  Cluster ball;
  float k;

  __device__ void load(const GaussRows& rows, const FloatPose& pose, std::uint32_t tile, float k_of_pass) {
    k = k_of_pass;
    float low[3], high[3];
#pragma unroll
    for (int r = 0; r < R; ++r) {
      // Lanes past the end repeat the last row: the ball stays as it is.
      const std::uint32_t row =
          min((tile * R + static_cast<std::uint32_t>(r)) * 32 + (threadIdx.x & 31u), rows.count - 1);
      const std::size_t at = std::size_t{row} * rows.stride;
      float moved[3];
      pose.apply(rows.x[at], rows.y[at], rows.z[at], moved);
      x[r] = moved[0], y[r] = moved[1], z[r] = moved[2];
      low[0] = r == 0 ? x[r] : fminf(low[0], x[r]), high[0] = r == 0 ? x[r] : fmaxf(high[0], x[r]);
      low[1] = r == 0 ? y[r] : fminf(low[1], y[r]), high[1] = r == 0 ? y[r] : fmaxf(high[1], y[r]);
      low[2] = r == 0 ? z[r] : fminf(low[2], z[r]), high[2] = r == 0 ? z[r] : fmaxf(high[2], z[r]);
    }
    ball.x = 0.5f * (warp_least(low[0]) + warp_most(high[0]));
    ball.y = 0.5f * (warp_least(low[1]) + warp_most(high[1]));
    ball.z = 0.5f * (warp_least(low[2]) + warp_most(high[2]));
    float square = 0;
#pragma unroll
    for (int r = 0; r < R; ++r) {
      x[r] -= ball.x, y[r] -= ball.y, z[r] -= ball.z;
      square = fmaxf(square, x[r] * x[r] + y[r] * y[r] + z[r] * z[r]);
    }
    ball.radius = sqrtf(warp_most(square)) * 1.000001f;
  }

  __device__ bool shifted() const { return k * ball.radius * ball.radius <= most_shifted; }
};

__device__ inline Cluster load_cluster(const ClusterTreeView& tree, std::uint32_t node) {
  const float4 c = __ldg(reinterpret_cast<const float4*>(tree.clusters) + node);
  return {c.x, c.y, c.z, c.w};
}

/// A point as the inner loop wants it; `log2_weight` −∞ makes it count nothing.
template <bool Shifted, int R>
__device__ inline float4 prepared(const GaussTile<R>& tile, const float4& p, float log2_weight) {
  const float x = p.x - tile.ball.x, y = p.y - tile.ball.y, z = p.z - tile.ball.z;
  if constexpr (!Shifted) return {x, y, z, log2_weight};
  const float twice = 2 * tile.k;
  return {twice * x, twice * y, twice * z, log2_weight - tile.k * (x * x + y * y + z * z)};
}

/// Points whose arithmetic is mixed to hide its latency.
inline constexpr unsigned gauss_abreast = 8;

/// Adds `count` prepared points, rounded up to a multiple of those; points that count nothing fill up.
template <bool Shifted, int R, class RowSums>
__device__ inline void add_prepared(const float4* points, unsigned count, const GaussTile<R>& tile, RowSums& sums) {
  for (unsigned j = 0; j < count; j += gauss_abreast) {
#pragma unroll
    for (unsigned i = 0; i < gauss_abreast; ++i) {
      const float4 p = points[j + i];
#pragma unroll
      for (int r = 0; r < R; ++r) {
        float e, x = p.x, y = p.y, z = p.z;
        if constexpr (Shifted) {
          e = exp2_approximate(fmaf(p.x, tile.x[r], fmaf(p.y, tile.y[r], fmaf(p.z, tile.z[r], p.w))));
        } else {
          x -= tile.x[r], y -= tile.y[r], z -= tile.z[r];
          e = exp2_approximate(fmaf(-tile.k, fmaf(x, x, fmaf(y, y, z * z)), p.w));
        }
        sums.weight[r] += e;
        if constexpr (!RowSums::with_toward) continue;
        sums.x[r] = fmaf(e, x, sums.x[r]);
        sums.y[r] = fmaf(e, y, sums.y[r]);
        sums.z[r] = fmaf(e, z, sums.z[r]);
        if constexpr (RowSums::with_squares) sums.squares[r] = fmaf(e, e, sums.squares[r]);
      }
    }
  }
}

/// Adds sums over prepared points to those of the rows: weight and toward as GaussSums has them.
template <bool Shifted, int R, class RowSums>
__device__ inline void flush(const GaussTile<R>& tile, RowSums& sums, RowSums& total) {
#pragma unroll
  for (int r = 0; r < R; ++r) {
    if constexpr (Shifted) {
      const float factor = exp2f(-tile.k * (tile.x[r] * tile.x[r] + tile.y[r] * tile.y[r] + tile.z[r] * tile.z[r]));
      const float weight = factor * sums.weight[r], scale = factor / (2 * tile.k);
      total.weight[r] += weight;
      if constexpr (!RowSums::with_toward) continue;
      total.x[r] += fmaf(scale, sums.x[r], -weight * tile.x[r]);
      total.y[r] += fmaf(scale, sums.y[r], -weight * tile.y[r]);
      total.z[r] += fmaf(scale, sums.z[r], -weight * tile.z[r]);
      if constexpr (RowSums::with_squares) total.squares[r] = fmaf(factor * factor, sums.squares[r], total.squares[r]);
    } else {
      total.weight[r] += sums.weight[r];
      total.x[r] += sums.x[r], total.y[r] += sums.y[r], total.z[r] += sums.z[r];
      if constexpr (RowSums::with_squares) total.squares[r] += sums.squares[r];
    }
  }
  sums.clear();
}

/// The point of a slot and log2 of its weight; a point that counts nothing for slots from `end` on.
struct WeightedPoint {
  float4 point;
  float log2_weight;
};
__device__ inline WeightedPoint load_point(const GaussPoints& points, std::uint32_t slot, std::uint32_t end) {
  WeightedPoint p{make_float4(0, 0, 0, 0), -INFINITY};
  if (slot >= end) return p;
  p.point = __ldg(reinterpret_cast<const float4*>(points.clusters.tree.points) + slot);
  p.log2_weight = points.weight == nullptr ? 0.0f : log2f(__ldg(points.weight + slot));
  return p;
}

/// All points of the slots, by the warp; `next` is the lane's first.
template <bool Shifted, int R, class RowSums>
__device__ inline void add_slots(const GaussPoints& points, const SlotRange& slots, WeightedPoint next,
                                 const GaussTile<R>& tile, RowSums& total, GaussScratch& scratch) {
  const unsigned lane = threadIdx.x & 31u;
  RowSums sums;
  sums.clear();
  unsigned in_run = 0, half = 0;
  for (std::uint32_t slot = slots.begin; slot < slots.end; slot += 32) {
    scratch.points[half][lane] = prepared<Shifted>(tile, next.point, next.log2_weight);
    __syncwarp();
    if (slot + 32 < slots.end) next = load_point(points, slot + 32 + lane, slots.end);
    add_prepared<Shifted>(scratch.points[half], min(32u, slots.end - slot), tile, sums);
    half ^= 1;  // the other half was read before the barrier that comes next
    in_run += 32;
    if (in_run >= gauss_run) flush<Shifted>(tile, sums, total), in_run = 0;
  }
  flush<Shifted>(tile, sums, total);
  __syncwarp();
}

/// The points of the leaves in the mask, one a lane with its slots, 32 at a time as if they were one range. Returns how
/// many.
template <int R, class RowSums>
__device__ inline unsigned add_leaves(const GaussPoints& points, unsigned leaves, const SlotRange& slots, bool shifted,
                                      const GaussTile<R>& tile, RowSums& total, GaussScratch& scratch) {
  const unsigned lane = threadIdx.x & 31u;
  const unsigned count = (leaves >> lane & 1u) != 0 ? slots.end - slots.begin : 0;
  unsigned upto = count;
#pragma unroll
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const unsigned before = __shfl_up_sync(whole_warp, upto, offset);
    if (lane >= offset) upto += before;
  }
  const unsigned all = __shfl_sync(whole_warp, upto, 31);
  const std::uint32_t first = slots.begin - (upto - count);
  const auto load = [&](unsigned i) {
    unsigned leaf = 0;  // how many end at i or before
#pragma unroll
    for (unsigned step = 16; step > 0; step /= 2) {
      if (__shfl_sync(whole_warp, upto, leaf + step - 1) <= i) leaf += step;
    }
    const std::uint32_t slot = __shfl_sync(whole_warp, first, leaf) + i;
    return load_point(points, slot, i < all ? slot + 1 : slot);
  };
  RowSums sums;
  sums.clear();
  WeightedPoint next = load(lane);
  unsigned half = 0;
  for (unsigned i = 0; i < all; i += 32, half ^= 1) {
    scratch.points[half][lane] = shifted ? prepared<true>(tile, next.point, next.log2_weight)
                                         : prepared<false>(tile, next.point, next.log2_weight);
    __syncwarp();
    if (i + 32 < all) next = load(i + 32 + lane);
    if (shifted) {
      add_prepared<true>(scratch.points[half], min(32u, all - i), tile, sums);
    } else {
      add_prepared<false>(scratch.points[half], min(32u, all - i), tile, sums);
    }
  }
  __syncwarp();
  if (shifted) {
    flush<true>(tile, sums, total);
  } else {
    flush<false>(tile, sums, total);
  }
  return all;
}

}  // namespace dovetail::cuda
