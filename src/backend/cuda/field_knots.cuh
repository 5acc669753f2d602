// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/cuda/field_lines.cuh"

// Lines with more candidates than fit a tile. Candidates go in groups of 32 of which the least cost on 32 lines is
// known, so that most groups need not be looked at. In this way the best candidate of every 256th row is found first;
// it bounds the candidates of the rows between, which then fit a tile, or else are solved in this way too.

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

/// Best of the candidates lo to hi for `Rows` rows: `row`, and on by `step`. By a whole warp, a lane a line. `guess`
/// and `other_guess` are candidates in that range, the better the faster.
template <int Rows, int step, class Lines>
__device__ void scan_bounded(const Lines& lines, std::uint32_t lo, std::uint32_t hi, std::uint32_t guess,
                             std::uint32_t other_guess, int row, std::uint32_t (&best)[Rows]) {
  const unsigned lane = threadIdx.x & 31u;
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
    return warp_max(most);
  };
  for (const std::uint32_t c : {guess, other_guess}) {
    const int position = lines.position(c);
    offer(c, position, lines.cost_at(position));
  }
  unsigned limit = farthest();
  const std::uint32_t first = warp_min(lo) / group_size, groups = warp_max(hi) / group_size - first + 1;
  const std::uint32_t rounds = (groups + 31) / 32, start = (warp_min(guess) / group_size - first) / 32;
  for (std::uint32_t r = 0; r < rounds; ++r) {
    const std::uint32_t base = first + (start + r) % rounds * 32, mine = base + lane;
    unsigned bound = ~0u;
    if (mine < first + groups) {
      const int from = lines.position(mine * group_size);
      const int to = lines.position(min(lines.count, (mine + 1) * group_size) - 1);
      const int gap = max(0, max(from - last_row, row - to));
      bound = lines.group_bound(mine) + static_cast<unsigned>(gap * gap);
    }
    for (;;) {  // the most promising group first
      const unsigned lowest = warp_min(bound);
      if (lowest > limit || lowest == ~0u) break;
      const unsigned chosen =
          static_cast<unsigned>(__ffs(static_cast<int>(__ballot_sync(every_lane, bound == lowest)))) - 1;
      if (lane == chosen) bound = ~0u;
      const std::uint32_t c = (base + chosen) * group_size, end = min(lines.count, c + group_size);
      const int position = lines.position(min(c + lane, end - 1));
#pragma unroll 8
      for (std::uint32_t i = 0; i < end - c; ++i) {
        const int at = __shfl_sync(every_lane, position, static_cast<int>(i));
        offer(c + i, at, lines.cost_at(at));
      }
      limit = farthest();
    }
  }
}

/// Solves 32 rows from `row` on by a warp, as a warp of solve_lines() does. The candidates lie from lo to hi.
template <class Lines, class Emit>
__device__ void solve_bounded(const Lines& lines, std::uint32_t lo, std::uint32_t hi, int row, int end_row,
                              const Emit& emit) {
  constexpr int parts = rows_a_warp / rows_at_once;
  std::uint32_t outer[2], inner[parts - 1], ends[parts + 1];
  scan_bounded<2, rows_a_warp>(lines, lo, hi, lo, hi, row, outer);
  scan_bounded<parts - 1, rows_at_once>(lines, outer[0], outer[1], outer[0], outer[1], row + rows_at_once, inner);
  ends[0] = outer[0];
  ends[parts] = outer[1];
#pragma unroll
  for (int p = 1; p < parts; ++p) ends[p] = inner[p - 1];
#pragma unroll
  for (int p = 0; p < parts; ++p) {
    const int at = row + p * rows_at_once;
    if (at >= end_row) return;
    std::uint32_t best[rows_at_once - 1], found[rows_at_once];
#pragma unroll
    for (int j = 0; j < rows_at_once; ++j) found[j] = ends[p];
    if (__any_sync(every_lane, ends[p] != ends[p + 1])) {
      scan_bounded<rows_at_once - 1, 1>(lines, ends[p], ends[p + 1], ends[p], ends[p + 1], at + 1, best);
#pragma unroll
      for (int j = 1; j < rows_at_once; ++j) found[j] = best[j - 1];
    }
    emit(at, found);
  }
}

__device__ inline std::uint16_t& knot(const DenseField& field, unsigned number) {
  return field.knots[(std::size_t{number} * gridDim.z + blockIdx.z) * field.rows.words_a_row * 32 + blockIdx.x * 32 +
                     (threadIdx.x & 31u)];
}

/// The candidates for the 256 rows from a knot on.
struct KnotRange {
  std::uint32_t lo, hi;       ///< of this lane's line
  std::uint32_t first, last;  ///< of all 32 lines
};
__device__ inline KnotRange knot_range(const DenseField& field, unsigned number) {
  const std::uint32_t lo = knot(field, number), hi = knot(field, number + 1);
  return {lo, hi, warp_min(lo), warp_max(hi)};
}

/// A thread a word lays the words of a group over each other: the least offsets of any of them.
static __global__ void row_groups_kernel(DenseField field) {
  const unsigned word = blockIdx.x * blockDim.x + threadIdx.x, group = blockIdx.y, z = blockIdx.z;
  const std::uint32_t count = field.rows.row_count[z], first = group * group_size;
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

/// A warp a knot of 32 lines.
template <class Pass>
__global__ void knots_kernel(DenseField field, std::uint32_t knots) {
  const typename Pass::Lines lines(field, blockIdx.x, blockIdx.z);
  const unsigned number = blockIdx.y * (blockDim.x / 32) + threadIdx.x / 32;
  if (number >= knots || lines.count == 0) return;
  const int row = static_cast<int>(number) * rows_a_block;
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
  scan_bounded<1, 1>(lines, 0, last, guess, guess, row, best);
  knot(field, number) = static_cast<std::uint16_t>(best[0]);
}

template <class Pass>
void find_knots(DenseField& field, Workspace& workspace) {
  const std::uint32_t rows = Pass::rows(field), sets = Pass::line_sets(field), words = field.rows.words_a_row;
  const std::uint32_t knots = (rows - 1) / rows_a_block + 2, groups = (rows - 1) / group_size + 1;
  field.knots = workspace.take<std::uint16_t>(std::size_t{knots} * sets * words * 32);
  if constexpr (std::is_same_v<typename Pass::Lines, RowLines>) {
    field.row_groups = workspace.take<FieldWord>(std::size_t{groups} * sets * words);
    row_groups_kernel<<<dim3((words + 31) / 32, groups, sets), 32, 0, workspace.stream()>>>(field);
  } else {
    field.plane_groups = workspace.take<std::uint32_t>(std::size_t{groups} * field.ny * words);
    plane_groups_kernel<<<dim3(words, groups, sets), 32, 0, workspace.stream()>>>(field);
  }
  constexpr std::uint32_t knots_a_block = 2;
  const dim3 blocks(words, (knots + knots_a_block - 1) / knots_a_block, sets);
  knots_kernel<Pass><<<blocks, knots_a_block * 32, 0, workspace.stream()>>>(field, knots);
  check_cuda(cudaGetLastError(), "CUDA: starting the knots of a distance field");
}

}  // namespace dovetail::cuda
