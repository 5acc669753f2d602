// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <type_traits>

#include "backend/cuda/field_lines.cuh"

// Lines with more candidates than fit a tile. Candidates go in groups of 32 of which the least cost on 32 lines is
// known, so that most groups need not be looked at. In this way the best candidate of every 256th row is found first;
// it bounds the candidates of the rows between, which then fit a tile, or else are searched in this way too.

namespace dovetail::cuda {

template <class T>
__device__ T warp_min(T value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value = min(value, __shfl_xor_sync(every_lane, value, step));
  return value;
}
template <class T>
__device__ T warp_max(T value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value = max(value, __shfl_xor_sync(every_lane, value, step));
  return value;
}

/// A block of so many warps searches the same rows of the same 32 lines, each warp its share of the groups.
constexpr int search_warps = 4;

template <int Rows>
struct Search {
  unsigned least[search_warps][Rows][lines_a_block];
  std::uint32_t best[search_warps][Rows][lines_a_block];
  unsigned limit;  ///< no row has its best candidate farther away, as far as any warp knows
};

/// Best of the candidates lo to hi for `Rows` rows: `row`, and on by `step`. By a whole block, a lane a line. `guess`
/// and `other_guess` are candidates in that range, the better the faster.
template <int Rows, int step, class Lines>
__device__ void search(const Lines& lines, std::uint32_t lo, std::uint32_t hi, std::uint32_t guess,
                       std::uint32_t other_guess, int row, Search<Rows>& shared, std::uint32_t (&best)[Rows]) {
  const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x / 32;
  const int last_row = row + (Rows - 1) * step;
  unsigned least[Rows];
#pragma unroll
  for (int j = 0; j < Rows; ++j) least[j] = ~0u, best[j] = 0;
  const auto offer = [&](std::uint32_t c, int position, int cost) {
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      const int apart = row + j * step - position;
      const unsigned squared = static_cast<unsigned>(cost) + static_cast<unsigned>(apart * apart);
      if (squared < least[j] || (squared == least[j] && c < best[j])) least[j] = squared, best[j] = c;
    }
  };
  const auto farthest = [&] {
    unsigned most = 0;
#pragma unroll
    for (int j = 0; j < Rows; ++j) most = max(most, least[j]);
    return most;
  };
  for (const std::uint32_t c : {guess, other_guess}) {
    const int position = lines.position(c);
    offer(c, position, lines.cost_at(position));
  }
  if (threadIdx.x == 0) shared.limit = ~0u;
  __syncthreads();
  unsigned limit = warp_max(farthest());
  const std::uint32_t first = warp_min(lo) / group_size, groups = warp_max(hi) / group_size - first + 1;
  constexpr std::uint32_t a_round = 32 * search_warps;
  const std::uint32_t rounds = (groups - 1) / a_round + 1, start = (warp_min(guess) / group_size - first) / a_round;
  for (std::uint32_t r = 0; r < rounds; ++r) {
    const std::uint32_t base = first + (start + r) % rounds * a_round + warp, mine = base + lane * search_warps;
    unsigned bound = ~0u, gap_squared = 0;
    if (mine < first + groups) {
      const int from = lines.position(mine * group_size);
      const int to = lines.position(min(lines.count, (mine + 1) * group_size) - 1);
      const int gap = max(0, max(from - last_row, row - to));
      gap_squared = static_cast<unsigned>(gap * gap);
      bound = lines.group_bound(mine) + gap_squared;
    }
    for (;;) {  // the most promising group first
      const unsigned lowest = warp_min(bound);
      if (lowest > limit || lowest == ~0u) break;
      const int chosen = __ffs(static_cast<int>(__ballot_sync(every_lane, bound == lowest))) - 1;
      if (static_cast<int>(lane) == chosen) bound = ~0u;
      const std::uint32_t group = base + static_cast<unsigned>(chosen) * search_warps;
      const unsigned here = lines.group_cost(group) + __shfl_sync(every_lane, gap_squared, chosen);
      if (!__any_sync(every_lane, here <= farthest())) continue;
      const std::uint32_t c = group * group_size, last = min(lines.count, c + group_size) - 1;
      const int position = lines.position(min(c + lane, last));
      constexpr int together = 8;  // loads on their way at the same time
#pragma unroll 1
      for (int i = 0; i < static_cast<int>(group_size); i += together) {
        int at[together], cost[together];
#pragma unroll
        for (int k = 0; k < together; ++k) at[k] = __shfl_sync(every_lane, position, i + k);
#pragma unroll
        for (int k = 0; k < together; ++k) cost[k] = lines.cost_at(at[k]);
#pragma unroll
        for (int k = 0; k < together; ++k) offer(min(c + static_cast<unsigned>(i + k), last), at[k], cost[k]);
      }
      limit = warp_max(farthest());
      if (lane == 0) limit = min(limit, atomicMin(&shared.limit, limit));
      limit = __shfl_sync(every_lane, limit, 0);
    }
  }
#pragma unroll
  for (int j = 0; j < Rows; ++j) shared.least[warp][j][lane] = least[j], shared.best[warp][j][lane] = best[j];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < Rows; ++j) {
#pragma unroll
    for (int w = 0; w < search_warps; ++w) {
      const unsigned squared = shared.least[w][j][lane];
      const std::uint32_t c = shared.best[w][j][lane];
      if (squared < least[j] || (squared == least[j] && c < best[j])) least[j] = squared, best[j] = c;
    }
  }
}

__device__ inline std::uint16_t& knot(const DenseField& field, const LineBlock& at, unsigned number) {
  return field.knots[(std::size_t{at.set} * field.knot_count + number) * field.rows.words_a_row * 32 + at.word * 32 +
                     (threadIdx.x & 31u)];
}

/// The candidates for the 256 rows from a knot on.
struct KnotRange {
  std::uint32_t lo, hi;       ///< of this lane's line
  std::uint32_t first, last;  ///< of all 32 lines
};
__device__ inline KnotRange knot_range(const DenseField& field, const LineBlock& at) {
  const std::uint32_t lo = knot(field, at, at.chunk), hi = knot(field, at, at.chunk + 1);
  return {lo, hi, warp_min(lo), warp_max(hi)};
}

/// A thread a word lays the words of a group over each other: the least offsets of any of them.
static __global__ void row_groups_kernel(DenseField field) {
  const unsigned word = blockIdx.x * blockDim.x + threadIdx.x, group = blockIdx.y, z = blockIdx.z;
  const std::uint32_t count = field.rows.row_count[z], first = group * group_size;
  if (word == 0 && group == 0 && z == 0) *field.left_count = 0;
  if (word >= field.rows.words_a_row || first >= count) return;
  const std::uint16_t* rows = field.rows.rows + std::size_t{z} * field.ny;
  FieldWord all{0, 0, none_left, none_right};
#pragma unroll 8
  for (std::uint32_t c = first; c < min(count, first + group_size); ++c) {
    const FieldWord one = load_word(field.word(word * 32, __ldg(rows + c), z));
    all.bits |= one.bits;
    all.left = max(all.left, one.left);
    all.right = min(all.right, one.right);
  }
  field.row_groups[(std::size_t{z} * gridDim.y + group) * field.rows.words_a_row + word] = all;
}

/// A warp a group: its least cost on 32 lines.
static __global__ void plane_groups_kernel(DenseField field) {
  const unsigned group = blockIdx.y, row = blockIdx.z;
  const PlaneLines lines(field, blockIdx.x, row);
  const std::uint32_t first = group * group_size;
  if (blockIdx.x == 0 && group == 0 && row == 0 && threadIdx.x == 0) *field.left_count = 0;
  if (first >= lines.count) return;
  int least = INT_MAX;
#pragma unroll 8
  for (std::uint32_t c = first; c < min(lines.count, first + group_size); ++c) {
    least = min(least, lines.cost_at(lines.position(c)));
  }
  least = warp_min(least);
  if (threadIdx.x == 0) {
    field.plane_groups[(std::size_t{group} * field.ny + row) * field.rows.words_a_row + blockIdx.x] =
        static_cast<std::uint32_t>(least);
  }
}

/// A block a knot of 32 lines. blockIdx: word, knot, set of lines.
template <class Pass>
__global__ void __launch_bounds__(search_warps * 32) knots_kernel(DenseField field) {
  __shared__ Search<1> shared;
  const typename Pass::Lines lines(field, blockIdx.x, blockIdx.z);
  if (lines.count == 0) return;
  const int row = static_cast<int>(blockIdx.y) * rows_a_block;
  std::uint32_t below = 0, above = lines.count;  // the first candidate at or past the row
  while (below < above) {
    const std::uint32_t middle = (below + above) / 2;
    if (lines.position(middle) < row) {
      below = middle + 1;
    } else {
      above = middle;
    }
  }
  const std::uint32_t last = lines.count - 1, guess = min(below, last);
  std::uint32_t best[1];
  search<1, 1>(lines, 0, last, guess, below > 0 ? below - 1 : guess, row, shared, best);
  if (threadIdx.x < 32) {
    knot(field, {blockIdx.x, blockIdx.y, blockIdx.z}, blockIdx.y) = static_cast<std::uint16_t>(best[0]);
  }
}

/// Solves the blocks of lines that the pass has left, 8 rows at a time by a block.
template <class Pass>
__global__ void __launch_bounds__(search_warps * 32) solve_left_kernel(DenseField field) {
  __shared__ Search<2> outer;
  __shared__ Search<rows_at_once - 1> inner;
  constexpr std::uint32_t tasks_a_block = rows_a_block / rows_at_once;
  const std::uint32_t words = field.rows.words_a_row, chunks = field.knot_count - 1;
  const std::uint64_t tasks = std::uint64_t{*field.left_count} * tasks_a_block;
  for (std::uint64_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const std::uint32_t block = field.left[task / tasks_a_block];
    const LineBlock at{block % words, block / words % chunks, block / words / chunks};
    const int row = static_cast<int>(at.chunk * rows_a_block + task % tasks_a_block * rows_at_once);
    if (row >= static_cast<int>(Pass::rows(field))) continue;
    const typename Pass::Lines lines(field, at.word, at.set);
    const KnotRange range = knot_range(field, at);
    std::uint32_t ends[2], best[rows_at_once - 1], found[rows_at_once];
    search<2, rows_at_once>(lines, range.lo, range.hi, range.lo, range.hi, row, outer, ends);
    search<rows_at_once - 1, 1>(lines, ends[0], ends[1], ends[0], ends[1], row + 1, inner, best);
    found[0] = ends[0];
#pragma unroll
    for (int j = 1; j < rows_at_once; ++j) found[j] = best[j - 1];
    if (threadIdx.x < 32) Pass::write(field, lines, at, lines, row, found);
    __syncthreads();  // before the next task uses the shared memory
  }
}

/// What a pass along long lines needs beforehand.
template <class Pass>
void find_knots(DenseField& field, Workspace& workspace) {
  const std::uint32_t rows = Pass::rows(field), sets = Pass::line_sets(field), words = field.rows.words_a_row;
  const std::uint32_t groups = (rows - 1) / group_size + 1, chunks = (rows - 1) / rows_a_block + 1;
  field.knot_count = chunks + 1;
  field.knots = workspace.take<std::uint16_t>(std::size_t{field.knot_count} * sets * words * 32);
  field.left = workspace.take<std::uint32_t>(std::size_t{chunks} * sets * words);
  field.left_count = workspace.take<std::uint32_t>(1);
  if constexpr (std::is_same_v<typename Pass::Lines, RowLines>) {
    field.row_groups = workspace.take<FieldWord>(std::size_t{groups} * sets * words);
    row_groups_kernel<<<dim3((words - 1) / 32 + 1, groups, sets), 32, 0, workspace.stream()>>>(field);
  } else {
    field.plane_groups = workspace.take<std::uint32_t>(std::size_t{groups} * field.ny * words);
    plane_groups_kernel<<<dim3(words, groups, sets), 32, 0, workspace.stream()>>>(field);
  }
  const dim3 blocks(words, field.knot_count, sets);
  knots_kernel<Pass><<<blocks, search_warps * 32, 0, workspace.stream()>>>(field);
  check_cuda(cudaGetLastError(), "CUDA: starting the knots of a distance field");
}

template <class Pass>
void solve_left(const DenseField& field, Workspace& workspace) {
  const auto blocks = static_cast<unsigned>(workspace.multiprocessors()) * 12;
  solve_left_kernel<Pass><<<blocks, search_warps * 32, 0, workspace.stream()>>>(field);
  check_cuda(cudaGetLastError(), "CUDA: starting the rest of a distance field");
}

}  // namespace dovetail::cuda
