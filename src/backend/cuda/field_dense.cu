// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <type_traits>

#include "backend/cuda/distance_field.h"
#include "backend/cuda/field_knots.cuh"
#include "backend/cuda/field_lines.cuh"

namespace dovetail::cuda {
namespace {

constexpr unsigned block_size = warps_a_block * 32;

/// A block solves 256 rows of 32 lines. blockIdx: word of the row of cells, 256 rows, set of lines.
template <class Pass, class Packing, bool long_lines>
__global__ void __launch_bounds__(block_size, 4) pass_kernel(DenseField field, std::uint32_t capacity) {
  using Lines = typename Pass::Lines;
  extern __shared__ __align__(16) unsigned char shared[];
  const LineBlock at{blockIdx.x, blockIdx.y, blockIdx.z};
  const Lines lines(field, at.word, at.set);
  if (lines.count == 0) return;
  std::uint32_t first = 0, count = lines.count;
  if constexpr (long_lines) {
    const KnotRange range = knot_range(field, at);
    first = range.first;
    count = range.last - first + 1;
    if (count > capacity) {
      const std::uint32_t block = (at.set * gridDim.y + at.chunk) * gridDim.x + at.word;
      if (threadIdx.x == 0) field.left[atomicAdd(field.left_count, 1)] = block;
      return;
    }
  }
  const int row = static_cast<int>(at.chunk) * rows_a_block;
  const int end = static_cast<int>(min(Pass::rows(field), at.chunk * rows_a_block + rows_a_block));
  auto& shares = *reinterpret_cast<Shares<Packing>*>(shared);
  auto* entries = reinterpret_cast<typename Lines::Cost*>(shared + sizeof(Shares<Packing>));
  const Tile<Lines> tile{entries + (threadIdx.x & 31u),
                         reinterpret_cast<std::uint16_t*>(entries + std::size_t{capacity} * lines_a_block)};
  tile.fill(lines, first, count);
  solve_lines<Packing>(tile, count, row, end, shares, [&](int from, const std::uint32_t(&best)[rows_at_once]) {
    Pass::write(field, lines, at, tile, from, best);
  });
}

int shared_bytes_allowed() {
  int device = 0, bytes = 0;
  check_cuda(cudaGetDevice(&device), "CUDA: asking for the current device");
  check_cuda(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
             "CUDA: asking for the shared memory of a block");
  return bytes;
}

template <class Pass, class Packing>
void run_packed(DenseField field, Workspace& workspace) {
  using Lines = typename Pass::Lines;
  constexpr std::size_t a_candidate = lines_a_block * sizeof(typename Lines::Cost) + sizeof(std::uint16_t);
  const std::size_t allowed = static_cast<std::size_t>(shared_bytes_allowed());
  const auto fitting = static_cast<std::uint32_t>((allowed - sizeof(Shares<Packing>)) / a_candidate);
  const std::uint32_t rows = Pass::rows(field), sets = Pass::line_sets(field), most = std::min(most_in_tile, fitting);
  const std::uint32_t capacity = std::min(most, rows), chunks = (rows - 1) / rows_a_block + 1;
  const std::size_t bytes = sizeof(Shares<Packing>) + capacity * a_candidate;
  const bool long_lines = rows > most;
  if (long_lines) find_knots<Pass>(field, workspace);
  const auto kernel = long_lines ? pass_kernel<Pass, Packing, true> : pass_kernel<Pass, Packing, false>;
  check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
             "CUDA: asking for shared memory");
  kernel<<<dim3(field.rows.words_a_row, chunks, sets), block_size, bytes, workspace.stream()>>>(field, capacity);
  check_cuda(cudaGetLastError(), "CUDA: starting a pass of a distance field");
  if (long_lines) solve_left<Pass>(field, workspace);
}

/// The packing that is fastest for the distances that can come up.
template <class Pass>
void run(const DenseField& field, Workspace& workspace) {
  const auto squared = [](std::uint64_t side) { return side * side; };
  const std::uint64_t beyond = Pass::rows(field) + rows_a_block;
  const std::uint64_t farthest =
      squared(field.nx) + (std::is_same_v<Pass, AlongZ> ? squared(field.ny) : 0) + squared(beyond);
  if (farthest < Narrow<9>::limit) {
    run_packed<Pass, Narrow<9>>(field, workspace);
  } else if (farthest < Narrow<6>::limit) {
    run_packed<Pass, Narrow<6>>(field, workspace);
  } else {
    run_packed<Pass, Wide>(field, workspace);
  }
}

}  // namespace

void build_dense_field(const FieldGrid& grid, const std::uint64_t* keys, std::uint32_t count, std::uint32_t* nearest,
                       Workspace& workspace) {
  if (count == 0) throw InvalidArgument("a distance field needs at least one seed");
  DenseField field{};
  field.rows = mark_rows(grid, keys, count, workspace);
  field.nx = grid.cells[0];
  field.ny = grid.cells[1];
  field.nz = grid.cells[2];
  field.nearest = nearest;
  if (field.nz == 1) return run<AlongY<true>>(field, workspace);
  field.in_plane = workspace.take<std::uint32_t>(grid.size());
  run<AlongY<false>>(field, workspace);
  run<AlongZ>(field, workspace);
}

}  // namespace dovetail::cuda
