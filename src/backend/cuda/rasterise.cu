// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cuda/cuda_backend_impl.cuh"
#include "backend/draw_triangle.h"

// Compiled without fused multiplications and additions: the bits are the host's.

namespace dovetail {
namespace cuda {
namespace {

constexpr unsigned block_size = 128;
constexpr unsigned every_lane = 0xFFFFFFFFu;
/// A triangle that more pixels may see is drawn by all lanes of a warp, a pixel each; one that fewer may see by one.
constexpr int small = 24;

__device__ void draw_pixel(const Rasterise& job, const raster::Region& region, const raster::Triangle& triangle,
                           std::uint32_t label, int x, int y) {
  const double depth = triangle.depth(job.camera.direction(x, y));
  if (!(depth > 0)) return;
  const raster::Pixel seen = raster::make_pixel(static_cast<float>(depth), label);
  auto* const pixel = reinterpret_cast<unsigned long long*>(job.pixels + region.at(x, y));
  // What is there may only get nearer.
  if (*pixel > seen) atomicMin(pixel, seen);
}

__device__ void draw_window(const Rasterise& job, const raster::Region& region, const PosedTriangle& posed,
                            std::uint32_t label, int first, int step) {
  const int width = posed.window.width(), count = posed.window.pixels();
  for (int i = first; i < count; i += step) {
    draw_pixel(job, region, posed.triangle, label, posed.window.columns.low + i % width,
               posed.window.rows.low + i / width);
  }
}

/// A triangle for each thread, draw after draw along the grid's y.
__global__ void __launch_bounds__(block_size) rasterise_kernel(Rasterise job) {
  const int lane = static_cast<int>(threadIdx.x & 31u);
  for (std::uint32_t d = blockIdx.y; d < job.draw_count; d += gridDim.y) {
    const RasterDraw draw = job.draws[d];
    const raster::Region region = job.regions[draw.region];
    // Whole warps go round together.
    for (std::uint32_t base = blockIdx.x * block_size + threadIdx.x - static_cast<unsigned>(lane);
         base < draw.mesh.count; base += gridDim.x * block_size) {
      const std::uint32_t own = base + static_cast<unsigned>(lane);
      int pixels = 0;
      if (own < draw.mesh.count) {
        const PosedTriangle posed = posed_triangle(draw, own, job.camera, region);
        pixels = posed.window.pixels();
        if (pixels <= small) draw_window(job, region, posed, draw.label_of(own), 0, 1);
      }
      for (unsigned large = __ballot_sync(every_lane, pixels > small); large != 0; large &= large - 1) {
        const std::uint32_t shared = base + static_cast<unsigned>(__ffs(static_cast<int>(large)) - 1);
        draw_window(job, region, posed_triangle(draw, shared, job.camera, region), draw.label_of(shared), lane, 32);
      }
    }
  }
}

}  // namespace
}  // namespace cuda

void CudaBackend::add_rasterise() {
  add<Rasterise>([](Backend& self, void* job) {
    const Rasterise& work = *static_cast<const Rasterise*>(job);
    Impl& impl = *static_cast<CudaBackend&>(self).impl_;
    const DeviceScope scope(impl.device);
    const cudaStream_t stream = impl.workspace.stream();
    static_assert(raster::nothing == ~raster::Pixel{0}, "all bytes are 0xFF");
    if (work.pixel_count == 0) return;
    check_cuda(cudaMemsetAsync(work.pixels, 0xFF, work.pixel_count * sizeof(raster::Pixel), stream),
               "CUDA: clearing images");
    if (work.draw_count > 0 && work.most_triangles > 0) {
      constexpr std::uint32_t most_rows = 65535;
      const dim3 grid((work.most_triangles - 1) / cuda::block_size + 1, std::min(work.draw_count, most_rows));
      cuda::rasterise_kernel<<<grid, cuda::block_size, 0, stream>>>(work);
      check_cuda(cudaGetLastError(), "CUDA: drawing meshes");
    }
    check_cuda(cudaStreamSynchronize(stream), "CUDA: drawing meshes");
  });
}

}  // namespace dovetail
