// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/cuda/field_lines.cuh"

// Lines with more candidates than fit a tile: the best candidate of every 256th row first, which bounds those of the
// rows between. It is found by branch and bound: candidates go in groups of 32, and a group's least cost and its
// nearest row tell whether it can hold the best.

namespace dovetail::cuda {

__device__ inline std::size_t knot_index(const DenseField& field, unsigned knot, unsigned set, unsigned sets) {
  return (std::size_t{knot} * sets + set) * field.rows.words_a_row * 32 + blockIdx.x * 32 + (threadIdx.x & 31u);
}

/// The candidates that some of a block's lines need for its 256 rows.
struct KnotRange {
  std::uint32_t first, count;
};
__device__ inline KnotRange knot_range(const DenseField& field, unsigned knot) {
  std::uint32_t lo = field.knots[knot_index(field, knot, blockIdx.z, gridDim.z)];
  std::uint32_t hi = field.knots[knot_index(field, knot + 1, blockIdx.z, gridDim.z)];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    lo = min(lo, __shfl_xor_sync(every_lane, lo, step));
    hi = max(hi, __shfl_xor_sync(every_lane, hi, step));
  }
  return {lo, hi - lo + 1};
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

/// A thread a line: the least cost of a group.
static __global__ void plane_groups_kernel(DenseField field) {
  const unsigned group = blockIdx.y, row = blockIdx.z, x = blockIdx.x * 32 + threadIdx.x;
  const PlaneLines lines(field, blockIdx.x, row);
  const std::uint32_t first = group * group_size;
  if (first >= lines.count || x >= field.nx) return;
  int least = INT_MAX;
#pragma unroll 8
  for (std::uint32_t c = first; c < min(lines.count, first + group_size); ++c) least = min(least, lines.cost(c));
  field.plane_groups[field.cell(x, row, group)] = static_cast<std::uint32_t>(least);
}

/// A warp a knot of 32 lines.
template <class Pass>
__global__ void knots_kernel(DenseField field, std::uint32_t knots) {
  const typename Pass::Lines lines(field, blockIdx.x, blockIdx.z);
  const unsigned knot = blockIdx.y * warps_a_block + threadIdx.x / 32;
  if (knot >= knots || lines.count == 0) return;
  const int row = static_cast<int>(knot) * rows_a_block;
  std::uint32_t below = 0, above = lines.count;  // the first candidate at or past the row
  while (below < above) {
    const std::uint32_t middle = (below + above) / 2;
    if (lines.position(middle) < row) {
      below = middle + 1;
    } else {
      above = middle;
    }
  }
  unsigned least = ~0u;
  std::uint32_t best = 0;
  const auto visit = [&](std::uint32_t group) {
#pragma unroll 8
    for (std::uint32_t c = group * group_size; c < min(lines.count, (group + 1) * group_size); ++c) {
      const int apart = row - lines.position(c);
      const unsigned squared = static_cast<unsigned>(lines.cost(c)) + static_cast<unsigned>(apart * apart);
      if (squared < least || (squared == least && c < best)) least = squared, best = c;
    }
  };
  const auto can_win = [&](std::uint32_t group, unsigned gap_squared) {
    return __any_sync(every_lane, lines.group_cost(group) + gap_squared <= least);
  };
  const std::uint32_t groups = (lines.count - 1) / group_size + 1, start = min(below, lines.count - 1) / group_size;
  visit(start);
  bool down = true, up = true;  // is there more to look at
  for (std::uint32_t k = 1; down || up; ++k) {
    down = down && k <= start;
    up = up && start + k < groups;
    if (down) {
      const int gap = row - lines.position((start - k + 1) * group_size - 1);
      const unsigned squared = static_cast<unsigned>(gap * gap);
      down = __any_sync(every_lane, squared <= least);
      if (down && can_win(start - k, squared)) visit(start - k);
    }
    if (up) {
      const int gap = lines.position((start + k) * group_size) - row;
      const unsigned squared = static_cast<unsigned>(gap * gap);
      up = __any_sync(every_lane, squared <= least);
      if (up && can_win(start + k, squared)) visit(start + k);
    }
  }
  field.knots[knot_index(field, knot, blockIdx.z, gridDim.z)] = static_cast<std::uint16_t>(best);
}

template <class Pass>
void find_knots(DenseField& field, Workspace& workspace) {
  const std::uint32_t rows = Pass::rows(field), sets = Pass::line_sets(field), words = field.rows.words_a_row;
  const std::uint32_t knots = (rows - 1) / rows_a_block + 2, groups = (rows - 1) / group_size + 1;
  field.knots = workspace.take<std::uint16_t>(std::size_t{knots} * sets * words * 32);
  if constexpr (std::is_same_v<typename Pass::Lines, RowLines>) {
    field.row_groups = workspace.take<FieldWord>(std::size_t{groups} * sets * words);
    row_groups_kernel<<<dim3((words + 127) / 128, groups, sets), 128, 0, workspace.stream()>>>(field);
  } else {
    field.plane_groups = workspace.take<std::uint32_t>(std::size_t{groups} * field.nx * field.ny);
    plane_groups_kernel<<<dim3(words, groups, sets), 32, 0, workspace.stream()>>>(field);
  }
  const dim3 blocks(words, (knots + warps_a_block - 1) / warps_a_block, sets);
  knots_kernel<Pass><<<blocks, warps_a_block * 32, 0, workspace.stream()>>>(field, knots);
  check_cuda(cudaGetLastError(), "CUDA: starting the knots of a distance field");
}

}  // namespace dovetail::cuda
