// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>

#include "backend/cuda/distance_field.h"

namespace dovetail::cuda {
namespace {

constexpr unsigned block_size = 256;

// The expressions of make_seeds() on the host, operation by operation: nothing may be fused.
__device__ std::uint32_t cell_of(const FieldGrid& grid, int axis, float coordinate) {
  const float offset = __fmul_rn(__fsub_rn(coordinate, grid.origin[axis]), grid.per_unit);
  if (!(offset > 0)) return 0;
  return min(static_cast<std::uint32_t>(offset), grid.cells[axis] - 1);
}

__global__ void place_points_kernel(FieldGrid grid, DevicePoints points, std::uint32_t* cells, std::uint32_t* order,
                                    float* from_centre) {
  const std::uint32_t i = blockIdx.x * block_size + threadIdx.x;
  if (i >= points.count) return;
  const float* coordinates[3] = {points.x, points.y, points.z};
  std::uint32_t at[3] = {0, 0, 0};
  float squared = 0;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    if (a >= grid.dimension) break;
    const float c = coordinates[a][i];
    at[a] = cell_of(grid, a, c);
    const float middle = __fmul_rn(__fadd_rn(static_cast<float>(at[a]), 0.5f), grid.cell);
    const float off = __fsub_rn(c, __fadd_rn(grid.origin[a], middle));
    squared = __fadd_rn(squared, __fmul_rn(off, off));
  }
  cells[i] = static_cast<std::uint32_t>(grid.index(at[0], at[1], at[2]));
  order[i] = i;
  from_centre[i] = squared;
}

/// Of two points of a cell the one that stands for it.
struct Nearer {
  const float* from_centre;
  const std::uint32_t* index;
  std::uint32_t count;
  __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    if (a >= count || b >= count) return a;  // CUB combines values past the end too, and drops them
    if (from_centre[a] < from_centre[b]) return a;
    if (from_centre[b] < from_centre[a]) return b;
    return index[a] <= index[b] ? a : b;
  }
};

__global__ void write_seeds_kernel(FieldGrid grid, DevicePoints points, const std::uint32_t* cells,
                                   const std::uint32_t* chosen, const std::uint32_t* count, std::uint64_t* keys,
                                   Site* sites) {
  const std::uint32_t i = blockIdx.x * block_size + threadIdx.x;
  if (i >= *count) return;
  const std::uint32_t cell = cells[i], row = cell / grid.cells[0], p = chosen[i];
  keys[i] = cell_key(cell % grid.cells[0], row % grid.cells[1], row / grid.cells[1]);
  sites[i] = {points.x[p], points.y[p], points.z[p], points.normal != nullptr ? points.normal[p] : 0u};
}

/// The least number of bits that hold every cell's number.
int bits_for(std::uint64_t cells) {
  int bits = 1;
  while (bits < 32 && cells > std::uint64_t{1} << bits) ++bits;
  return bits;
}

}  // namespace

DeviceSeeds make_seeds_cuda(const FieldGrid& grid, const DevicePoints& points, Workspace& workspace) {
  DeviceSeeds seeds;
  const std::uint32_t n = points.count;
  if (n == 0) return seeds;
  const cudaStream_t stream = workspace.stream();
  auto* cells = workspace.take<std::uint32_t>(n);
  auto* order = workspace.take<std::uint32_t>(n);
  auto* sorted_cells = workspace.take<std::uint32_t>(n);
  auto* sorted_order = workspace.take<std::uint32_t>(n);
  auto* from_centre = workspace.take<float>(n);
  auto* count = workspace.take<std::uint32_t>(1);
  const unsigned blocks = (n - 1) / block_size + 1;
  place_points_kernel<<<blocks, block_size, 0, stream>>>(grid, points, cells, order, from_centre);

  const int bits = bits_for(grid.size());
  const Nearer nearer{from_centre, points.index, n};
  const auto sort = [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, cells, sorted_cells, order, sorted_order, n, 0, bits,
                                           stream);
  };
  const auto choose = [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(scratch, bytes, sorted_cells, cells, sorted_order, order, count, nearer, n,
                                          stream);
  };
  std::size_t sort_bytes = 0, choose_bytes = 0;
  check_cuda(sort(nullptr, sort_bytes), "CUDA: asking for the scratch of a sort");
  check_cuda(choose(nullptr, choose_bytes), "CUDA: asking for the scratch of a reduction");
  auto* scratch = workspace.take<std::byte>(sort_bytes > choose_bytes ? sort_bytes : choose_bytes);
  check_cuda(sort(scratch, sort_bytes), "CUDA: sorting points by cell");
  check_cuda(choose(scratch, choose_bytes), "CUDA: choosing a point a cell");

  check_cuda(cudaMemcpyAsync(&seeds.count, count, sizeof(seeds.count), cudaMemcpyDeviceToHost, stream),
             "CUDA: downloading a count");
  check_cuda(cudaStreamSynchronize(stream), "CUDA: waiting for the seeds of a distance field");
  seeds.keys = DeviceBuffer<std::uint64_t>(seeds.count, stream);
  seeds.sites = DeviceBuffer<Site>(seeds.count, stream);
  write_seeds_kernel<<<blocks, block_size, 0, stream>>>(grid, points, cells, order, count, seeds.keys.data(),
                                                        seeds.sites.data());
  check_cuda(cudaGetLastError(), "CUDA: starting to write the seeds of a distance field");
  return seeds;
}

}  // namespace dovetail::cuda
