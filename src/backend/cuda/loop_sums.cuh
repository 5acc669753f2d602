// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cuda_runtime.h>

#include "methods/method.h"

// How the sums of a pass are added on the device: over the lanes of a warp, the warps of a block, and the parts of all
// blocks, always by the same tree.

namespace dovetail::cuda {

/// Points a CUDA block takes at a time, one a thread. Four such quarters make a block of the sum's definition; the tree
/// above them is the same.
inline constexpr unsigned threads = 256;

/// Parts whose sums the block that finishes the last of them adds up, while others still work: six levels of the tree.
inline constexpr unsigned group_parts = 64;

/// The bins of a hypothesis, in shared or global memory.
template <class Bin>
struct Bins {
  Bin* bin;
  __device__ void add(std::uint32_t i, Bin amount) const {
    if constexpr (sizeof(Bin) == 8) {
      atomicAdd(reinterpret_cast<unsigned long long*>(bin + i), static_cast<unsigned long long>(amount));
    } else {
      atomicAdd(bin + i, amount);
    }
  }
};

/// One step of warp_sums: of `Had` sums a lane keeps half, and gives the other half to the lane `offset` away. A
/// template, so that every index is known and the values stay in registers.
template <int Had, int Width>
__device__ void give_half(double (&values)[Width], unsigned offset) {
  constexpr int keeps = (Had + 1) / 2;
  const bool upper = (threadIdx.x & offset) != 0;
#pragma unroll
  for (int i = 0; i < keeps; ++i) {
    const double low = values[i], high = i + keeps < Had ? values[i + keeps] : 0.0;
    const double other = __shfl_xor_sync(0xffffffffu, upper ? low : high, offset);
    values[i] = (upper ? high : low) + other;
  }
}

/// Adds `Width` doubles a lane over the warp, by a tree over the lanes. Lanes share the sums out among themselves: at
/// each step of the tree a lane gives the half away that it does not keep, so that a sum takes one exchange instead of
/// five. Calls out(k, sum) in the lane that ends up with sum k.
template <int Width, class Out>
__device__ void warp_sums(double (&values)[Width], const Out& out) {
  constexpr int h0 = (Width + 1) / 2, h1 = (h0 + 1) / 2, h2 = (h1 + 1) / 2, h3 = (h2 + 1) / 2, h4 = (h3 + 1) / 2;
  give_half<Width>(values, 16);
  give_half<h0>(values, 8);
  give_half<h1>(values, 4);
  give_half<h2>(values, 2);
  give_half<h3>(values, 1);
  const unsigned lane = threadIdx.x;
#pragma unroll
  for (int i = 0; i < h4; ++i) {
    const int k3 = i + ((lane & 1u) != 0 ? h4 : 0), k2 = k3 + ((lane & 2u) != 0 ? h3 : 0);
    const int k1 = k2 + ((lane & 4u) != 0 ? h2 : 0), k0 = k1 + ((lane & 8u) != 0 ? h1 : 0);
    const int k = k0 + ((lane & 16u) != 0 ? h0 : 0);
    if (k3 < h3 && k2 < h2 && k1 < h1 && k0 < h0 && k < Width) out(k, values[i]);
  }
}

/// Adds `Width` doubles a thread over the block, by a tree over the thread index, into `out`.
template <int Width>
__device__ void block_sums(double (&values)[Width], double (*scratch)[threads / 32], double* out) {
  warp_sums(values, [&](int k, double sum) { scratch[k][threadIdx.x / 32] = sum; });
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < Width; k += threads) {
    double* warp = scratch[k];
    for (unsigned stride = threads / 64; stride > 0; stride /= 2) {
      for (unsigned i = 0; i < stride; ++i) warp[i] += warp[i + stride];
    }
    out[k] = warp[0];
  }
  __syncthreads();
}

/// Six levels of the aligned binary tree over parts `stride` apart, by all threads of a block: two neighbours a lane,
/// and a few sums side by side, for each has to be waited for. Ends with a barrier.
template <class Sums>
__device__ void tree_levels_by_block(Sums* sums, unsigned count, unsigned stride) {
  constexpr unsigned width = doubles_in<Sums>, abreast = 4, runs = (width + abreast - 1) / abreast;
  const unsigned lane = threadIdx.x & 31u;
  const unsigned groups = (count + group_parts * stride - 1) / (group_parts * stride);
  for (unsigned i = threadIdx.x / 32; i < groups * runs; i += threads / 32) {
    const unsigned first = (i / runs) * group_parts * stride, k = (i % runs) * abreast, own = first + 2 * lane * stride;
    double left[abreast], right[abreast];
#pragma unroll
    for (unsigned j = 0; j < abreast; ++j) {
      const bool there = k + j < width;
      left[j] = there && own < count ? as_doubles(sums[own])[k + j] : 0.0;
      right[j] = there && own + stride < count ? as_doubles(sums[own + stride])[k + j] : 0.0;
    }
#pragma unroll
    for (unsigned j = 0; j < abreast; ++j) {
      double value = own + stride < count ? left[j] + right[j] : left[j];
      for (unsigned offset = 1; offset < 32; offset *= 2) {
        const double other = __shfl_down_sync(0xffffffffu, value, offset);
        if (lane % (2 * offset) == 0 && own + 2 * offset * stride < count) value += other;
      }
      if (lane == 0 && k + j < width) as_doubles(sums[first])[k + j] = value;
    }
  }
  __syncthreads();
}

/// The aligned binary tree over parts, as tree_sum() does it on the host, from parts `stride` apart on.
template <class Sums>
__device__ void tree_sum_by_block(Sums* sums, unsigned count, unsigned stride) {
  for (; stride < count; stride *= group_parts) tree_levels_by_block(sums, count, stride);
}

}  // namespace dovetail::cuda
