// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/cuda/gauss_tree.cuh"

// Gaussian sums of many rows by a whole grid. A work item is a tile of rows against a chunk of the tree (a heap node of
// one depth); its sums go to a place of their own, so the bits do not depend on who computed them, nor on how many
// blocks there are. In a cooperative kernel: the floors of all tiles (where the plan is not dense), a barrier, all
// items, a barrier, and then each row has its sums.
//
// A kernel that never walks compiles gauss_item<Squares, true> alone: the walk takes all registers it can get.

namespace dovetail::cuda {

/// How a sweep is divided: a function of the sizes and of whether there is a tolerance, never of the device.
struct GaussPlan {
  std::uint32_t rows = 0;
  bool dense = true;      ///< every pair: gauss_sweep<Squares, true>
  int rows_per_lane = 4;  ///< 1, 2 or 4
  int chunk_depth = 0;

  DOVETAIL_HD std::uint32_t tile_size() const { return 32u * static_cast<std::uint32_t>(rows_per_lane); }
  DOVETAIL_HD std::uint32_t tiles() const { return (rows + tile_size() - 1) / tile_size(); }
  DOVETAIL_HD std::uint32_t chunks() const { return 1u << chunk_depth; }
  DOVETAIL_HD std::uint32_t items() const { return tiles() * chunks(); }
  DOVETAIL_HD std::size_t partials() const { return std::size_t{rows} * chunks(); }
};

DOVETAIL_HD inline GaussPlan gauss_plan(std::uint32_t rows, std::uint32_t points, int cluster_depth, float tolerance) {
  GaussPlan plan;
  plan.rows = rows;
  // In small clouds a tile sees most leaves from near, and the walk costs more than it saves.
  plan.dense = tolerance <= 0 || points < 8'192;
  // Wide tiles load less, so they are right where all is computed; narrow ones see fewer clusters from near.
  plan.rows_per_lane = rows < 2'048 ? 1 : plan.dense ? 4 : 2;
  // A multiprocessor of a large device has work for 16 warps. Dense items are all alike: a few for each warp even out,
  // and where there is less work than that, one wave of long items. Walks differ by a factor of hundreds, and none may
  // outlast the rest of the sweep; shorter ones repeat too much.
  const std::uint32_t enough = plan.dense ? (points < 16'384 ? 1'100 : 30'000) : 120'000;
  const std::uint32_t least_points = plan.dense ? 128 : 2'048;
  while (plan.chunk_depth < cluster_depth && plan.items() < enough && points >> plan.chunk_depth > least_points) {
    ++plan.chunk_depth;
  }
  return plan;
}

/// One sweep. `partial` has plan.partials() places; `squares` as many where they are asked for.
struct GaussPass {
  GaussPoints points;
  GaussRows rows;
  FloatPose pose;  ///< moves the rows to where the points are
  GaussSettings settings;
  GaussPlan plan;
  float4* partial;
  float* squares = nullptr;
  float* floor = nullptr;  ///< a tolerance needs a place a row, or two with squares
  unsigned* counter = nullptr;
  GaussCounts* counts = nullptr;  ///< null: nobody wants to know
};

__device__ inline float gauss_k(const GaussSettings& settings) {
  return 1.4426950408889634f / (settings.sigma * settings.sigma);
}

/// The lane's r-th row of a tile.
template <int R>
__device__ inline std::uint32_t gauss_row_of(std::uint32_t tile, int r) {
  return (tile * R + static_cast<std::uint32_t>(r)) * 32 + (threadIdx.x & 31u);
}

/// A tile's rows: least sums, for the items of the sweep.
template <int R, bool Squares>
__device__ inline void gauss_floor(const GaussPass& pass, std::uint32_t tile_index, GaussScratch& scratch) {
  const ClusterTreeView& tree = pass.points.clusters;
  GaussTile<R> tile;
  tile.load(pass.rows, pass.pose, tile_index, gauss_k(pass.settings));
  Probe found = probe(tree, tile.ball, tile.k);
  // Weights may be 0: only what was added up is sure then.
  if (pass.points.weight != nullptr) found.beside = 0;
  GaussRowSums<R, Squares> total;
  total.clear();
#pragma unroll 1
  for (int i = 0; i < probed_leaves && found.leaf[i] != 0; ++i) {
    add_slots<false>(pass.points, tree.tree.slots(found.leaf[i], tree.depth), tile, total, scratch);
  }
#pragma unroll
  for (int r = 0; r < R; ++r) {
    const std::uint32_t row = gauss_row_of<R>(tile_index, r);
    if (row >= pass.rows.count) continue;
    pass.floor[row] = total.weight[r] + found.beside;
    if constexpr (Squares) pass.floor[pass.rows.count + row] = total.squares[r] + found.squares_beside;
  }
}

template <int R, bool Squares>
__device__ inline GaussLimits<R> gauss_limits(const GaussPass& pass, std::uint32_t tile_index, float k) {
  const GaussSettings& settings = pass.settings;
  const std::uint32_t points = pass.points.clusters.tree.count;
  GaussLimits<R> limits{INFINITY, INFINITY, {}, INFINITY};
#pragma unroll
  for (int r = 0; r < R; ++r) {
    const std::uint32_t row = min(gauss_row_of<R>(tile_index, r), pass.rows.count - 1);
    const float weight = log2_allowance(settings.tolerance, settings.outlier + __ldcg(pass.floor + row), points) -
                         log2f(settings.most_weight);
    limits.weight = fminf(limits.weight, weight);
    limits.reach[r] = sqrtf(fmaxf(0.0f, -weight) / k) * 1.00001f;
    if constexpr (Squares) {
      const float squares = log2_allowance(settings.tolerance, __ldcg(pass.floor + pass.rows.count + row), points);
      limits.squares = fminf(limits.squares, squares);
      limits.reach[r] = fmaxf(limits.reach[r], sqrtf(fmaxf(0.0f, -squares) / (2 * k)) * 1.00001f);
    }
    limits.least_reach = fminf(limits.least_reach, limits.reach[r]);
  }
  limits.least_reach = warp_least(limits.least_reach);
  limits.weight = warp_least(limits.weight);
  if constexpr (Squares) limits.squares = warp_least(limits.squares);
  return limits;
}

/// One work item, by a warp.
template <int R, bool Squares, bool Dense>
__device__ inline void gauss_item(const GaussPass& pass, std::uint32_t item, GaussScratch& scratch) {
  const std::uint32_t tiles = pass.plan.tiles(), chunk = item / tiles, tile_index = item % tiles;
  const std::uint32_t root = pass.plan.chunks() + chunk;
  GaussTile<R> tile;
  tile.load(pass.rows, pass.pose, tile_index, gauss_k(pass.settings));
  GaussRowSums<R, Squares> total;
  total.clear();
  if constexpr (Dense) {
    const SlotRange slots = pass.points.clusters.tree.slots(root, pass.plan.chunk_depth);
    if (tile.shifted()) {
      add_slots<true>(pass.points, slots, tile, total, scratch);
    } else {
      add_slots<false>(pass.points, slots, tile, total, scratch);
    }
  } else {
    const GaussLimits<R> limits = gauss_limits<R, Squares>(pass, tile_index, tile.k);
    walk(pass.points, root, limits, pass.settings.sigma, tile, total, scratch, pass.counts);
  }
#pragma unroll
  for (int r = 0; r < R; ++r) {
    const std::uint32_t row = gauss_row_of<R>(tile_index, r);
    if (row >= pass.rows.count) continue;
    const std::size_t at = std::size_t{chunk} * pass.rows.count + row;
    pass.partial[at] = make_float4(total.weight[r], total.x[r], total.y[r], total.z[r]);
    if constexpr (Squares) pass.squares[at] = total.squares[r];
  }
}

/// By the number of rows a lane has.
template <bool Squares, bool Dense>
__device__ inline void gauss_item(const GaussPass& pass, std::uint32_t item, GaussScratch& scratch) {
  switch (pass.plan.rows_per_lane) {
    case 1:
      return gauss_item<1, Squares, Dense>(pass, item, scratch);
    case 2:
      return gauss_item<2, Squares, Dense>(pass, item, scratch);
    default:
      return gauss_item<4, Squares, Dense>(pass, item, scratch);
  }
}

template <bool Squares>
__device__ inline void gauss_floor(const GaussPass& pass, std::uint32_t tile, GaussScratch& scratch) {
  switch (pass.plan.rows_per_lane) {
    case 1:
      return gauss_floor<1, Squares>(pass, tile, scratch);
    case 2:
      return gauss_floor<2, Squares>(pass, tile, scratch);
    default:
      return gauss_floor<4, Squares>(pass, tile, scratch);
  }
}

/// Sums of a row: weight, toward x, y, z; the chunks in their order.
__device__ inline float4 gauss_row(const GaussPass& pass, std::uint32_t row) {
  float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 16
  for (std::uint32_t chunk = 0; chunk < pass.plan.chunks(); ++chunk) {
    const float4 part = __ldcg(pass.partial + std::size_t{chunk} * pass.rows.count + row);
    sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
  }
  return sum;
}
__device__ inline float gauss_row_squares(const GaussPass& pass, std::uint32_t row) {
  float sum = 0;
#pragma unroll 4
  for (std::uint32_t chunk = 0; chunk < pass.plan.chunks(); ++chunk) {
    sum += __ldcg(pass.squares + std::size_t{chunk} * pass.rows.count + row);
  }
  return sum;
}

}  // namespace dovetail::cuda
