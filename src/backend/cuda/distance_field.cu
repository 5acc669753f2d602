// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/distance_field.h"

#include "backend/cuda/cuda_backend_impl.cuh"

namespace dovetail {

void CudaBackend::add_distance_field() {
  add<FieldBuild>([](Backend& self, void* job) {
    FieldBuild& build = *static_cast<FieldBuild*>(job);
    FieldLevel& level = build.level;
    Impl& impl = *static_cast<CudaBackend&>(self).impl_;
    const DeviceScope scope(impl.device);
    Memory& memory = self.memory();
    level.nearest.clear();
    build.placed = put(memory, level);
    auto* const nearest = memory.room<std::uint32_t>(level.stored_cells(), build.placed.keeper);
    build.placed.view.nearest = nearest;
    Keeper until_built;
    const std::uint64_t* const keys = memory.put(build.keys, until_built);
    const auto count = static_cast<std::uint32_t>(build.keys.size());
    impl.workspace.reset();
    if (level.band == 0) {
      cuda::build_dense_field(level.grid, keys, count, nearest, impl.workspace);
    } else {
      const std::uint32_t* const stored = memory.put(level.tiles.stored, until_built);
      cuda::build_banded_field(
          level.grid, keys, count, level.band,
          {build.placed.view.tile_slot, stored, static_cast<std::uint32_t>(level.tiles.stored.size())}, nearest,
          impl.workspace);
    }
    if (build.keep_on_host) level.nearest = memory.get(nearest, level.stored_cells());
    check_cuda(cudaStreamSynchronize(impl.workspace.stream()), "CUDA: building a distance field");
  });
}

}  // namespace dovetail
