// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/cuda/gauss_dense.cuh"

// The same sums with far clusters left out and smooth ones taken from their moments, by the rules of cluster_bounds.h.
// A warp walks the tree for its tile: each lane judges one node, and the warp together does what came out, in the order
// of the lanes. The order of every addition follows from tile and tree alone.

namespace dovetail::cuda {

#include "spatial/cluster_expansion.inl"

/// An expansion's price in direct pairs of a row, from instruction counts: a pair takes 8 issue slots.
DOVETAIL_HD constexpr ExpansionCosts gauss_costs() {
  return {.degree2 = 12, .degree4 = 24, .degree6 = 42, .degree8 = 72};
}

/// What a tile may leave out: for all its rows log2 of what one weight may be off, (7) of docs/methods/em_icp.md, and
/// for each row of a lane the distance from which points count too little.
template <int R>
struct GaussLimits {
  float weight, squares;
  float reach[R], least_reach;
};

__device__ inline int depth_of(std::uint32_t node) { return 31 - __clz(static_cast<int>(node)); }

/// Leaves near a tile, whose sums are taken to know a least sum of each row.
inline constexpr int probed_leaves = 4;

struct Probe {
  float beside, squares_beside;       ///< least sums over everything but those leaves
  std::uint32_t leaf[probed_leaves];  ///< 0: there are not so many
};

/// The nearest way down the tree by a warp, five levels a step: a fifth of the latency, and clusters beside the way
/// count at a finer level. It stops before the nearest leaves, for which the sums themselves are a better bound.
__device__ inline Probe probe(const ClusterTreeView& tree, const Cluster& tile, float k) {
  const unsigned lane = threadIdx.x & 31u;
  Probe result{};
  std::uint32_t node = 1;
  for (int depth = 0;;) {
    const int down = min(5, tree.depth - depth);
    depth += down;
    float near = INFINITY, weight = 0, square = 0;
    if (lane < 1u << down) {
      const std::uint32_t below = (node << down) + lane;
      const Cluster cluster = load_cluster(tree, below);
      const SlotRange slots = tree.tree.slots(below, depth);
      const float distance = distance_between(tile, cluster), far = distance + tile.radius + cluster.radius;
      near = distance - cluster.radius;
      weight = static_cast<float>(slots.end - slots.begin) * exp2f(-k * far * far);
      square = static_cast<float>(slots.end - slots.begin) * exp2f(-2 * k * far * far);
    }
    const auto take_nearest = [&] {
      const unsigned nearest = __ballot_sync(whole_warp, near == warp_least(near));
      const auto from = static_cast<unsigned>(__ffs(static_cast<int>(nearest)) - 1);
      if (lane == from) weight = square = 0, near = INFINITY;
      return (node << down) + from;
    };
    std::uint32_t next = 0;
    if (depth == tree.depth) {
#pragma unroll
      for (int i = 0; i < probed_leaves; ++i) {
        if (i < 1 << down) result.leaf[i] = take_nearest();
      }
    } else {
      next = take_nearest();
    }
    result.beside += warp_sum(weight);
    result.squares_beside += warp_sum(square);
    if (depth == tree.depth) return result;
    node = next;
  }
}

/// The long sums are functions of their own: a few hundred instructions once in a program, not once a use.
template <int P>
__device__ __noinline__ float4 long_cluster_sum(const float* moments, float ux, float uy, float uz, float ratio) {
  const ClusterSum<float> sum = cluster_sum<P, float>(moments, ux, uy, uz, ratio);
  return make_float4(sum.weight, sum.slope[0], sum.slope[1], sum.slope[2]);
}

/// Adds the expansion of a cluster, with its moments in shared memory, to every row.
template <int P, int R, bool Squares>
__device__ inline void add_expansion(const float* moments, const Cluster& cluster, const GaussTile<R>& tile,
                                     float sigma, GaussRowSums<R, Squares>& total) {
  const float inverse = 1 / sigma;
  // Moments of points that are one location vanish, whatever they are divided by.
  const float ratio = fmaxf(cluster.radius * inverse, 1e-12f), scale = -sigma / (2 * ratio);
  const float cx = cluster.x - tile.ball.x, cy = cluster.y - tile.ball.y, cz = cluster.z - tile.ball.z;
#pragma unroll
  for (int r = 0; r < R; ++r) {
    const float x = tile.x[r] - cx, y = tile.y[r] - cy, z = tile.z[r] - cz;
    const float e = exp2f(-tile.k * (x * x + y * y + z * z));
    const float4 sum = long_cluster_sum<P>(moments, x * inverse, y * inverse, z * inverse, ratio);
    total.weight[r] = fmaf(e, sum.x, total.weight[r]);
    total.x[r] = fmaf(e * scale, sum.y, total.x[r]);
    total.y[r] = fmaf(e * scale, sum.z, total.y[r]);
    total.z[r] = fmaf(e * scale, sum.w, total.z[r]);
  }
}

/// How the warp's tile treats a node: no worse than the weights and, where they are asked for, their squares allow.
/// The expansion gives no squares: it serves where those may be left out.
template <bool Squares, int R>
__device__ inline Treatment judge(const GaussPoints& points, std::uint32_t node, const Cluster& cluster,
                                  std::uint32_t count, const Cluster& tile, float k, const GaussLimits<R>& limits) {
  const float spread = points.clusters.moments == nullptr
                           ? 0.0f
                           : __ldg(points.clusters.moments + std::size_t{node} * moment_stride + spread_index);
  const Treatment t = treatment_of(cluster, count, tile, k, limits.weight, gauss_costs(), spread);
  if (t == Treatment::skip && !Squares) return t;
  if (points.clusters.moments == nullptr && t != Treatment::skip) return Treatment::open;
  if constexpr (Squares) {
    const float near = fmaxf(0.0f, distance_between(tile, cluster) - tile.radius - cluster.radius);
    if (-2 * k * near * near > limits.squares) return Treatment::open;
  }
  return t;
}

/// Whether any row of the tile reaches the cluster. A row on its own sees a cluster more sharply than the tile's ball
/// does: where tiles are wide beside σ, this leaves out most of what treatment_of() has to open.
template <int R>
__device__ inline bool reached(const GaussTile<R>& tile, const GaussLimits<R>& limits, const Cluster& cluster) {
  const float cx = cluster.x - tile.ball.x, cy = cluster.y - tile.ball.y, cz = cluster.z - tile.ball.z;
  bool any = false;
#pragma unroll
  for (int r = 0; r < R; ++r) {
    const float x = tile.x[r] - cx, y = tile.y[r] - cy, z = tile.z[r] - cz, far = limits.reach[r] + cluster.radius;
    any = any || x * x + y * y + z * z < far * far;
  }
  return __any_sync(whole_warp, any) != 0;
}

/// The points below `root`.
template <int R, bool Squares>
__device__ inline void walk(const GaussPoints& points, std::uint32_t root, const GaussLimits<R>& limits, float sigma,
                            const GaussTile<R>& tile, GaussRowSums<R, Squares>& total, GaussScratch& scratch) {
  const ClusterTreeView& tree = points.clusters;
  const unsigned lane = threadIdx.x & 31u;
  const bool shifted = tile.shifted();
  const std::uint32_t first_leaf = tree.first_leaf();
  const int root_depth = depth_of(root);
  // The first levels are never smooth nor far all at once: begin with up to 32 nodes.
  const int down = max(0, min(5, tree.depth) - root_depth);
  std::uint32_t node = lane < 1u << down ? (root << down) + lane : 0;
  unsigned size = 0;
  for (;;) {
    Treatment treatment = Treatment::skip;
    Cluster cluster{};
    SlotRange slots{};
    if (node != 0) {
      cluster = load_cluster(tree, node);
      slots = tree.tree.slots(node, depth_of(node));
      treatment = judge<Squares>(points, node, cluster, slots.end - slots.begin, tile.ball, tile.k, limits);
    }
    const bool is_open = treatment == Treatment::open;

    const auto cluster_of = [&](int from) {
      return Cluster{__shfl_sync(whole_warp, cluster.x, from), __shfl_sync(whole_warp, cluster.y, from),
                     __shfl_sync(whole_warp, cluster.z, from), __shfl_sync(whole_warp, cluster.radius, from)};
    };

    unsigned leaves = __ballot_sync(whole_warp, is_open && node >= first_leaf);
    if (leaves != 0) {
      // Where the tile's whole ball lies within the least reach, nobody needs to be asked.
      const bool sure = distance_between(tile.ball, cluster) + tile.ball.radius < limits.least_reach + cluster.radius;
      for (unsigned asked = leaves & ~__ballot_sync(whole_warp, sure); asked != 0; asked &= asked - 1) {
        const int from = __ffs(static_cast<int>(asked)) - 1;
        if (!reached(tile, limits, cluster_of(from))) leaves &= ~(1u << from);
      }
      add_leaves(points, leaves, slots, shifted, tile, total, scratch);
    }

    unsigned smooth = __ballot_sync(whole_warp, treatment != Treatment::skip && !is_open);
    if (smooth != 0) {
      float4 part[2];
      const auto take = [&](int from) {
        const auto* moments = reinterpret_cast<const float4*>(
            tree.moments + std::size_t{__shfl_sync(whole_warp, node, from)} * moment_stride);
        part[0] = __ldg(moments + lane);
        if (lane + 32 < moment_stride / 4) part[1] = __ldg(moments + lane + 32);
      };
      int from = __ffs(static_cast<int>(smooth)) - 1;
      take(from);
      while (smooth != 0) {
        __syncwarp();  // the moments before have been read
        scratch.moments[lane] = part[0];
        if (lane + 32 < moment_stride / 4) scratch.moments[lane + 32] = part[1];
        __syncwarp();
        const Cluster c = cluster_of(from);
        const auto degree = static_cast<Treatment>(__shfl_sync(whole_warp, static_cast<int>(treatment), from));
        smooth &= smooth - 1;
        if (smooth != 0) take(from = __ffs(static_cast<int>(smooth)) - 1);
        const float* moments = &scratch.moments[0].x;
        switch (degree) {
          case Treatment::expand2:
            add_expansion<2>(moments, c, tile, sigma, total);
            break;
          case Treatment::expand4:
            add_expansion<4>(moments, c, tile, sigma, total);
            break;
          case Treatment::expand6:
            add_expansion<6>(moments, c, tile, sigma, total);
            break;
          default:
            add_expansion<8>(moments, c, tile, sigma, total);
            break;
        }
      }
    }

    const bool descends = is_open && node < first_leaf;
    const unsigned inner = __ballot_sync(whole_warp, descends);
    if (descends) {
      const unsigned at = size + 2 * static_cast<unsigned>(__popc(inner & ((1u << lane) - 1)));
      scratch.stack[at] = 2 * node;
      scratch.stack[at + 1] = 2 * node + 1;
    }
    size += 2 * static_cast<unsigned>(__popc(inner));
    __syncwarp();
    if (size == 0) break;
    const unsigned batch = min(32u, size);
    size -= batch;
    node = lane < batch ? scratch.stack[size + lane] : 0;
    __syncwarp();
  }
}

}  // namespace dovetail::cuda
