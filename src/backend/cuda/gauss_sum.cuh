// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/cuda/gauss_tree.cuh"

// Gaussian sums of many rows by a whole grid. A work item is a tile of rows against a chunk of the points; its sums go
// to a place of their own, so the bits do not depend on who computed them, nor on how many blocks there are.
//
// Dense items are for a block: its warps take the chunk's points in turn and their sums are added up in shared memory.
// Whoever finishes a tile's last item goes on with its rows. Items that walk the tree are for a warp: a chunk is a heap
// node of one depth. In a cooperative kernel: the floors of all tiles, a barrier, all items, a barrier, the rows.
//
// A kernel that never walks compiles the dense items alone: the walk takes all registers it can get.

namespace dovetail::cuda {

/// Rows a lane holds. Wide tiles load less, so they are right where most is computed; narrow ones see fewer clusters
/// from near.
inline constexpr int dense_rows = 4, walk_rows = 2;
inline constexpr unsigned gauss_warps = 8;  ///< of a block
inline constexpr unsigned dense_tile = 32 * dense_rows;

/// How a sweep is divided: a function of the sizes and of whether there is a tolerance, never of the device.
struct GaussPlan {
  std::uint32_t rows = 0;
  bool dense = true;  ///< every pair, but for leaves out of everyone's reach
  std::uint32_t chunks = 1;

  DOVETAIL_HD std::uint32_t tile_size() const { return dense ? dense_tile : 32u * walk_rows; }
  DOVETAIL_HD std::uint32_t tiles() const { return (rows + tile_size() - 1) / tile_size(); }
  DOVETAIL_HD std::uint32_t items() const { return tiles() * chunks; }
  DOVETAIL_HD std::size_t partials() const { return std::size_t{rows} * chunks; }
};

DOVETAIL_HD inline GaussPlan gauss_plan(std::uint32_t rows, std::uint32_t points, int cluster_depth, float tolerance) {
  constexpr std::uint32_t large_device = 264;  // blocks that run at once
  GaussPlan plan;
  plan.rows = rows;
  // In small clouds a tile sees most leaves from near, and the walk costs more than it saves.
  plan.dense = tolerance <= 0 || points < 8'192;
  const std::uint32_t tiles = plan.tiles();
  if (plan.dense) {
    // Items are alike: one for each block where that is about even, or so many that it evens out.
    const bool one_wave = 3 * tiles <= large_device;
    const std::uint32_t wanted = one_wave ? large_device / (tiles > 0 ? tiles : 1) : 5'000 / tiles + 1;
    const std::uint32_t most = one_wave ? (1u << cluster_depth) / gauss_warps : points / 2'048;
    plan.chunks = wanted < most ? wanted : most > 1 ? most : 1;
    return plan;
  }
  // Walks differ by a factor of hundreds, and none may outlast the rest of the sweep; shorter ones repeat too much.
  for (int depth = 0; depth < cluster_depth && plan.items() < 120'000 && points >> depth > 2'048; ++depth) {
    plan.chunks *= 2;
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
  float reach = INFINITY;  ///< no row of a dense plan needs points beyond
  float4* partial;
  float* squares = nullptr;
  unsigned* done = nullptr;  ///< dense: items of each tile that are done; 0 before and after a sweep
  float* floor = nullptr;    ///< a walk needs a place a row, or two with squares
};

/// What a block needs in shared memory, at different times.
union GaussBlockScratch {
  GaussScratch warp[gauss_warps];
  struct {
    float4 sums[gauss_warps][dense_tile];
    float squares[gauss_warps][dense_tile];
  } tile;
};

__device__ inline float gauss_k(const GaussSettings& settings) {
  return 1.4426950408889634f / (settings.sigma * settings.sigma);
}

/// The lane's r-th row of a tile.
template <int R>
__device__ inline std::uint32_t gauss_row_of(std::uint32_t tile, int r) {
  return (tile * R + static_cast<std::uint32_t>(r)) * 32 + (threadIdx.x & 31u);
}

/// One dense item, by a block.
template <bool Squares, bool Toward>
__device__ inline void gauss_dense_item(const GaussPass& pass, std::uint32_t tile_index, std::uint32_t chunk,
                                        GaussBlockScratch& scratch) {
  const ClusterTreeView& tree = pass.points.clusters;
  const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x / 32;
  const std::uint32_t parts = pass.plan.chunks * gauss_warps, part = chunk * gauss_warps + warp;
  // In whole rounds of the inner loop. The first point is on its way while the tile is loaded.
  const std::uint32_t rounds = (tree.tree.count + gauss_abreast - 1) / gauss_abreast;
  const std::uint32_t each = rounds / parts, longer = rounds % parts;
  const std::uint32_t begin = (part * each + min(part, longer)) * gauss_abreast;
  const SlotRange own{begin, min(begin + (each + (part < longer ? 1 : 0)) * gauss_abreast, tree.tree.count)};
  const WeightedPoint first_point = load_point(pass.points, own.begin + lane, own.end);
  GaussTile<dense_rows> tile;
  tile.load(pass.rows, pass.pose, tile_index, gauss_k(pass.settings));
  const bool shifted = tile.shifted();
  GaussRowSums<dense_rows, Squares, Toward> total;
  total.clear();
  if (pass.reach < INFINITY) {
    // Neighbouring leaves go to different warps: those within reach lie together, and all shall have some.
    const std::uint32_t leaves = tree.first_leaf();
    for (std::uint32_t first = part; first < leaves; first += 32 * parts) {
      const std::uint32_t leaf = first + lane * parts;
      SlotRange slots{};
      bool near = false;
      if (leaf < leaves) {
        const Cluster cluster = load_cluster(tree, leaves + leaf);
        slots = tree.tree.slots(leaves + leaf, tree.depth);
        near = distance_between(tile.ball, cluster) - tile.ball.radius - cluster.radius < pass.reach;
      }
      const unsigned taken = __ballot_sync(whole_warp, near);
      if (taken != 0) add_leaves(pass.points, taken, slots, shifted, tile, total, scratch.warp[warp]);
    }
  } else if (shifted) {
    add_slots<true>(pass.points, own, first_point, tile, total, scratch.warp[warp]);
  } else {
    add_slots<false>(pass.points, own, first_point, tile, total, scratch.warp[warp]);
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < dense_rows; ++r) {
    scratch.tile.sums[warp][r * 32 + lane] = make_float4(total.weight[r], total.x[r], total.y[r], total.z[r]);
    if constexpr (Squares) scratch.tile.squares[warp][r * 32 + lane] = total.squares[r];
  }
  __syncthreads();
  const std::uint32_t row = tile_index * dense_tile + threadIdx.x;
  if (threadIdx.x >= dense_tile || row >= pass.rows.count) return;
  float4 sum = scratch.tile.sums[0][threadIdx.x];
#pragma unroll
  for (unsigned w = 1; w < gauss_warps; ++w) {
    const float4 more = scratch.tile.sums[w][threadIdx.x];
    sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w;
  }
  const std::size_t at = std::size_t{chunk} * pass.rows.count + row;
  pass.partial[at] = sum;
  if constexpr (Squares) {
    float squares = scratch.tile.squares[0][threadIdx.x];
#pragma unroll
    for (unsigned w = 1; w < gauss_warps; ++w) squares += scratch.tile.squares[w][threadIdx.x];
    pass.squares[at] = squares;
  }
}

/// Called by a block after a dense item: whether all items of the tile are done, and their sums seen by this block.
__device__ inline bool gauss_tile_done(const GaussPass& pass, std::uint32_t tile) {
  __shared__ bool last;
  if (pass.plan.chunks == 1) {
    __syncthreads();
    return true;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();  // of the whole block's writes: the barrier came before
    last = atomicAdd(pass.done + tile, 1u) + 1 == pass.plan.chunks;
    if (last) pass.done[tile] = 0;
    __threadfence();
  }
  __syncthreads();
  return last;
}

/// A tile's rows: least sums, for the items of a walk.
template <bool Squares>
__device__ inline void gauss_floor(const GaussPass& pass, std::uint32_t tile_index, GaussScratch& scratch) {
  constexpr int R = walk_rows;
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
    const SlotRange slots = tree.tree.slots(found.leaf[i], tree.depth);
    const WeightedPoint first = load_point(pass.points, slots.begin + (threadIdx.x & 31u), slots.end);
    add_slots<false>(pass.points, slots, first, tile, total, scratch);
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

/// One item that walks the tree, by a warp.
template <bool Squares>
__device__ inline void gauss_walk_item(const GaussPass& pass, std::uint32_t item, GaussScratch& scratch) {
  constexpr int R = walk_rows;
  const std::uint32_t tiles = pass.plan.tiles(), chunk = item / tiles, tile_index = item % tiles;
  GaussTile<R> tile;
  tile.load(pass.rows, pass.pose, tile_index, gauss_k(pass.settings));
  GaussRowSums<R, Squares> total;
  total.clear();
  const GaussLimits<R> limits = gauss_limits<R, Squares>(pass, tile_index, tile.k);
  walk(pass.points, pass.plan.chunks + chunk, limits, pass.settings.sigma, tile, total, scratch);
#pragma unroll
  for (int r = 0; r < R; ++r) {
    const std::uint32_t row = gauss_row_of<R>(tile_index, r);
    if (row >= pass.rows.count) continue;
    const std::size_t at = std::size_t{chunk} * pass.rows.count + row;
    pass.partial[at] = make_float4(total.weight[r], total.x[r], total.y[r], total.z[r]);
    if constexpr (Squares) pass.squares[at] = total.squares[r];
  }
}

/// What a row has of the chunks [begin, end), in their order: weight, toward x, y, z; of its squares.
struct GaussRow {
  float4 sum;
  float squares;
};
template <bool Squares>
__device__ inline GaussRow gauss_row(const GaussPass& pass, std::uint32_t row, unsigned begin, unsigned end) {
  constexpr unsigned abreast = 8;  // loads on their way together
  GaussRow total{make_float4(0, 0, 0, 0), 0};
  for (unsigned chunk = begin; chunk < end; chunk += abreast) {
    float4 part[abreast];
    float square[abreast];
#pragma unroll
    for (unsigned i = 0; i < abreast; ++i) {
      const std::size_t at = std::size_t{chunk + i} * pass.rows.count + row;
      part[i] = chunk + i < end ? __ldcg(pass.partial + at) : make_float4(0, 0, 0, 0);
      if constexpr (Squares) square[i] = chunk + i < end ? __ldcg(pass.squares + at) : 0.0f;
    }
#pragma unroll
    for (unsigned i = 0; i < abreast; ++i) {
      total.sum.x += part[i].x, total.sum.y += part[i].y, total.sum.z += part[i].z, total.sum.w += part[i].w;
      if constexpr (Squares) total.squares += square[i];
    }
  }
  return total;
}

}  // namespace dovetail::cuda
