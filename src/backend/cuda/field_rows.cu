// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/field_rows.cuh"

namespace dovetail::cuda {
namespace {

constexpr unsigned block_size = 256, warps_a_block = block_size / 32;

struct Marks {
  std::uint32_t* rows;  ///< a bit a row, each plane from a new word on
  std::uint32_t* planes;
  std::uint32_t words_a_plane;
};

// A thread a seed; the first of a word's seeds writes the word.
__global__ void mark_words_kernel(const std::uint64_t* keys, std::uint32_t count, std::uint32_t rows_a_plane,
                                  FieldRows out, Marks marks) {
  const std::uint32_t i = blockIdx.x * block_size + threadIdx.x;
  if (i >= count) return;
  const std::uint64_t key = keys[i], previous = i > 0 ? keys[i - 1] : ~std::uint64_t{0};
  if (key >> 5 == previous >> 5) return;
  std::uint32_t bits = 1u << (key & 31u);
  for (std::uint32_t j = i + 1; j < count; ++j) {
    const std::uint64_t other = keys[j];
    if (other >> 5 != key >> 5) break;
    bits |= 1u << (other & 31u);
  }
  const std::uint32_t y = key_y(key), z = key_z(key);
  FieldWord* word = out.words + std::size_t{z * rows_a_plane + y} * out.words_a_row + key_x(key) / 32;
  *reinterpret_cast<uint2*>(word) = make_uint2(bits, i);
  if (key >> 16 == previous >> 16) return;
  atomicOr(marks.rows + z * marks.words_a_plane + y / 32, 1u << (y & 31u));
  if (key >> 32 != previous >> 32) atomicOr(marks.planes + z / 32, 1u << (z & 31u));
}

// A warp a row with seeds: the next seeds left and right of each word.
__global__ void link_words_kernel(std::uint32_t rows_a_plane, std::uint32_t row_count, FieldRows out, Marks marks) {
  const std::uint32_t row = blockIdx.x * warps_a_block + threadIdx.x / 32;
  const int lane = static_cast<int>(threadIdx.x & 31u);
  if (row >= row_count) return;
  const std::uint32_t y = row % rows_a_plane, z = row / rows_a_plane;
  if ((marks.rows[z * marks.words_a_plane + y / 32] >> (y & 31u) & 1u) == 0) return;
  FieldWord* words = out.words + std::size_t{row} * out.words_a_row;
  const int count = static_cast<int>(out.words_a_row), last_base = (count - 1) / 32 * 32;
  int carry = none_left;
  for (int base = 0; base < count; base += 32) {
    const int at = base + lane;
    const unsigned bits = at < count ? words[at].bits : 0;
    const unsigned with_seeds = __ballot_sync(every_lane, bits != 0), before = with_seeds & ((1u << lane) - 1u);
    const int last_seed = at * 32 + 31 - __clz(static_cast<int>(bits));
    const int left = __shfl_sync(every_lane, last_seed, before != 0 ? 31 - __clz(static_cast<int>(before)) : 0);
    const int next = __shfl_sync(every_lane, last_seed, with_seeds != 0 ? 31 - __clz(static_cast<int>(with_seeds)) : 0);
    if (at < count) words[at].left = before != 0 ? left : carry;
    if (with_seeds != 0) carry = next;
  }
  carry = none_right;
  for (int base = last_base; base >= 0; base -= 32) {
    const int at = base + lane;
    const unsigned bits = at < count ? words[at].bits : 0;
    const unsigned with_seeds = __ballot_sync(every_lane, bits != 0), after = with_seeds & (~1u << lane);
    const int first_seed = at * 32 + __ffs(static_cast<int>(bits)) - 1;
    const int right = __shfl_sync(every_lane, first_seed, after != 0 ? __ffs(static_cast<int>(after)) - 1 : 0);
    const int next = __shfl_sync(every_lane, first_seed, with_seeds != 0 ? __ffs(static_cast<int>(with_seeds)) - 1 : 0);
    if (at < count) words[at].right = after != 0 ? right : carry;
    if (with_seeds != 0) carry = next;
  }
}

// A block a plane lists the plane's rows with seeds; one more lists the planes.
__global__ void list_rows_kernel(std::uint32_t rows_a_plane, std::uint32_t planes, FieldRows out, Marks marks) {
  __shared__ std::uint32_t totals[warps_a_block];
  const bool of_planes = blockIdx.x == planes;
  const std::uint32_t* bits = of_planes ? marks.planes : marks.rows + blockIdx.x * marks.words_a_plane;
  const std::uint32_t words = of_planes ? (planes + 31) / 32 : marks.words_a_plane;
  std::uint16_t* list = of_planes ? out.planes : out.rows + std::size_t{blockIdx.x} * rows_a_plane;
  const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x / 32;
  std::uint32_t listed = 0;
  for (std::uint32_t base = 0; base < words; base += block_size) {
    const std::uint32_t at = base + threadIdx.x;
    std::uint32_t rest = at < words ? bits[at] : 0;
    const std::uint32_t own = static_cast<unsigned>(__popc(rest));
    std::uint32_t sum = own;  // of this lane and those before
    for (unsigned step = 1; step < 32; step *= 2) {
      const std::uint32_t other = __shfl_up_sync(every_lane, sum, step);
      if (lane >= step) sum += other;
    }
    if (lane == 31) totals[warp] = sum;
    __syncthreads();
    std::uint32_t to = listed + sum - own;
    for (unsigned w = 0; w < warps_a_block; ++w) {
      if (w < warp) to += totals[w];
      listed += totals[w];
    }
    __syncthreads();
    for (; rest != 0; rest &= rest - 1) {
      list[to++] = static_cast<std::uint16_t>(at * 32 + static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1);
    }
  }
  if (threadIdx.x == 0) *(of_planes ? out.plane_count : out.row_count + blockIdx.x) = listed;
}

}  // namespace

FieldRows mark_rows(const FieldGrid& grid, const std::uint64_t* keys, std::uint32_t count, Workspace& workspace) {
  const std::uint32_t ny = grid.cells[1], nz = grid.cells[2], rows = ny * nz;
  FieldRows out;
  out.words_a_row = (grid.cells[0] + 31) / 32;
  const std::size_t words = std::size_t{rows} * out.words_a_row;
  Marks marks;
  marks.words_a_plane = (ny + 31) / 32;
  const std::size_t mark_count = std::size_t{marks.words_a_plane} * nz + (nz + 31) / 32;
  // Words and marks lie together: one filling with zeros for both.
  out.words = workspace.take<FieldWord>(words + (mark_count + 3) / 4);
  marks.rows = reinterpret_cast<std::uint32_t*>(out.words + words);
  marks.planes = marks.rows + std::size_t{marks.words_a_plane} * nz;
  out.rows = workspace.take<std::uint16_t>(std::size_t{rows} + nz);
  out.planes = out.rows + rows;
  out.row_count = workspace.take<std::uint32_t>(nz + 1);
  out.plane_count = out.row_count + nz;

  const cudaStream_t stream = workspace.stream();
  check_cuda(cudaMemsetAsync(out.words, 0, words * sizeof(FieldWord) + mark_count * sizeof(std::uint32_t), stream),
             "CUDA: clearing a distance field");
  mark_words_kernel<<<(count - 1) / block_size + 1, block_size, 0, stream>>>(keys, count, ny, out, marks);
  link_words_kernel<<<(rows - 1) / warps_a_block + 1, block_size, 0, stream>>>(ny, rows, out, marks);
  list_rows_kernel<<<nz + 1, block_size, 0, stream>>>(ny, nz, out, marks);
  check_cuda(cudaGetLastError(), "CUDA: marking the seeds of a distance field");
  return out;
}

}  // namespace dovetail::cuda
