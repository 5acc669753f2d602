// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "core/random.h"
#include "dovetail/scanner.h"
#include "harness.h"
#ifdef DOVETAIL_BENCH_CUDA
#include "backend/cuda/cuda_backend.h"
#endif

// How fast depth and labels of posed meshes are drawn into many small regions, as pose search checks its hypotheses.

namespace dovetail::bench {
namespace {

TriangleMesh triangles_of(const PointCloud& mesh) {
  TriangleMesh result;
  for (const Vec3& p : mesh.positions) result.points.push_back(p.cast<float>());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (std::uint32_t k = mesh.faces.start[f] + 2; k < mesh.faces.start[f + 1]; ++k) {
      result.triangles.push_back({mesh.faces.index[mesh.faces.start[f]], mesh.faces.index[k - 1], mesh.faces.index[k]});
    }
  }
  return result;
}

/// As hypotheses are checked: a part alone in each of many small regions.
void regions(Backend& machine, int threads, const Arguments& arguments) {
  const TriangleMesh mesh = triangles_of(built_in_part(BuiltInPart::t_pipe));
  constexpr int side = 100;
  for (const std::uint32_t count : {40u, 1000u}) {
    Memory& memory = machine.memory();
    const Placed<TriangleMeshView> placed = put(memory, mesh);
    std::vector<raster::Region> parts;
    std::vector<RasterDraw> draws;
    RandomStream random(count, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
      parts.push_back({270, 190, side, side, std::uint64_t{i} * side * side});
      draws.push_back({placed.view, {random.rotation(), {0, 0, 650}}, 0, i});
    }
    Keeper keeper;
    Rasterise job;
    job.camera = {600, 600, 320, 240};
    job.regions = memory.put(parts, keeper), job.region_count = count;
    job.draws = memory.put(draws, keeper), job.draw_count = count;
    job.most_triangles = placed.view.count;
    job.pixel_count = std::size_t{count} * side * side;
    job.pixels = memory.room<raster::Pixel>(job.pixel_count, keeper);
    const Timing timing = measure(arguments, [&] { machine.run(job); });
    Line("raster", "regions of 100 x 100 with a T-pipe of " + std::to_string(placed.view.count) + " triangles each")
        .number("regions", count)
        .machine(machine.name(), threads)
        .value(timing);
  }
}

}  // namespace

int run(const Arguments& arguments) {
  describe_machine("raster");
  if (!arguments.gpu_only) {
    for (const int threads : thread_counts()) {
      CpuBackend cpu(threads);
      regions(cpu, threads, arguments);
    }
  }
#ifdef DOVETAIL_BENCH_CUDA
  if (!cuda_devices().empty()) {
    CudaBackend cuda(0);
    regions(cuda, 0, arguments);
  }
#endif
  return 0;
}

}  // namespace dovetail::bench

int main(int argc, char** argv) { return dovetail::bench::run(dovetail::bench::parse_arguments(argc, argv)); }
