// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "field_cuda.h"

#include <algorithm>
#include <vector>

#include "backend/cuda/distance_field.h"
#include "spatial/distance_field.h"

namespace dovetail::bench {
namespace {

/// Median of the time that work takes on the stream, after one run to warm up.
template <class Work>
double median_ms(cuda::Workspace& workspace, int repeats, const Work& work) {
  cudaEvent_t before, after;
  check_cuda(cudaEventCreate(&before), "CUDA: creating an event");
  check_cuda(cudaEventCreate(&after), "CUDA: creating an event");
  std::vector<float> times;
  for (int i = 0; i <= repeats; ++i) {
    workspace.reset();
    check_cuda(cudaEventRecord(before, workspace.stream()), "CUDA: recording an event");
    work();
    check_cuda(cudaEventRecord(after, workspace.stream()), "CUDA: recording an event");
    check_cuda(cudaEventSynchronize(after), "CUDA: waiting for an event");
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, before, after), "CUDA: reading an event");
    if (i > 0) times.push_back(ms);
  }
  cudaEventDestroy(before);
  cudaEventDestroy(after);
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

}  // namespace

double time_dense_field_cuda(const FieldGrid& grid, std::span<const std::uint64_t> keys, int repeats) {
  cuda::Workspace workspace;
  Memory& memory = *workspace.memory();
  Keeper keeper;
  const std::uint64_t* const on_device = memory.put(keys, keeper);
  auto* const nearest = memory.room<std::uint32_t>(grid.size(), keeper);
  return median_ms(workspace, repeats, [&] {
    cuda::build_dense_field(grid, on_device, static_cast<std::uint32_t>(keys.size()), nearest, workspace);
  });
}

double time_banded_field_cuda(const FieldGrid& grid, std::span<const std::uint64_t> keys, std::uint32_t band,
                              int repeats) {
  const FieldTiles tiles = make_tiles(grid, keys, band);
  cuda::Workspace workspace;
  Memory& memory = *workspace.memory();
  Keeper keeper;
  const std::uint64_t* const on_device = memory.put(keys, keeper);
  const cuda::DeviceTiles placed{memory.put(tiles.slot, keeper), memory.put(tiles.stored, keeper),
                                 static_cast<std::uint32_t>(tiles.stored.size())};
  auto* const nearest = memory.room<std::uint32_t>(tiles.stored.size() * tile_cells(grid.dimension), keeper);
  return median_ms(workspace, repeats, [&] {
    cuda::build_banded_field(grid, on_device, static_cast<std::uint32_t>(keys.size()), band, placed, nearest,
                             workspace);
  });
}

}  // namespace dovetail::bench
