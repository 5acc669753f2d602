// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>

#include "backend/cpu/cpu_backend.h"
#include "core/random.h"
#include "dovetail/rotation.h"
#include "dovetail/scanner.h"
#include "harness.h"
#include "pose/depth_renderer.h"
#include "pose/depth_sensor.h"
#include "spatial/parallel.h"
#ifdef DOVETAIL_BENCH_CUDA
#include "backend/cuda/cuda_backend.h"
#endif

// How fast scenes are drawn: whole images by ray casting, and many small regions by the rasteriser that checks poses.

namespace dovetail::bench {
namespace {

constexpr int parts_in_view = 30;

/// T-pipes all over an image, on a plane behind them.
struct Scene {
  pose::Pinhole camera{600, 600, 320, 240, 640, 480};
  pose::RenderMesh pipe{built_in_part(BuiltInPart::t_pipe)};
  pose::RenderMesh floor;
  std::vector<pose::PosedMesh> posed;

  static PointCloud square() {
    PointCloud mesh;
    mesh.positions = {{-500, -500, 0}, {500, -500, 0}, {500, 500, 0}, {-500, 500, 0}};
    mesh.faces.add({0, 1, 2, 3});
    return mesh;
  }
  explicit Scene(std::uint64_t seed) : floor(square()) {
    RandomStream random(seed, 0);
    for (int i = 0; i < parts_in_view; ++i) {
      const Vec3 place = {random.uniform(-260, 260), random.uniform(-190, 190), random.uniform(540, 640)};
      posed.push_back({&pipe, {random.rotation(), place}});
    }
    posed.push_back({&floor, {Mat3::identity(), {0, 0, 680}}});
  }
};

void whole_images(const Arguments& arguments) {
  constexpr int images = 8;
  std::vector<std::unique_ptr<Scene>> scenes;
  for (int i = 0; i < images; ++i) scenes.push_back(std::make_unique<Scene>(static_cast<std::uint64_t>(i)));
  for (const int threads : thread_counts()) {
    for (const bool sensor : {false, true}) {
      const Timing timing = measure(arguments, [&] {
        Threads(threads).execute([&] {
          parallel_for(images, 1, [&](std::size_t i) {
            const Scene& scene = *scenes[i];
            if (sensor) {
              const pose::RenderedView view = pose::render_view(scene.posed, scene.camera, {120, 0, 0});
              pose::measured_depth(view, scene.camera, {}, 120, i);
            } else {
              pose::render_depth(scene.posed, scene.camera);
            }
          });
        });
      });
      Line("render", sensor ? "640 x 480, 30 parts, with the sensor model" : "640 x 480, 30 parts, depth and labels")
          .machine("cpu", threads)
          .value(1000 * images / timing.median_ms, "images/s");
    }
  }
}

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
    Line("render", "regions of 100 x 100 with a T-pipe of " + std::to_string(placed.view.count) + " triangles each")
        .number("regions", count)
        .machine(machine.name(), threads)
        .value(timing);
  }
}

}  // namespace

int run(const Arguments& arguments) {
  describe_machine("render");
  if (!arguments.gpu_only) {
    if (pose::depth_renderer_available()) whole_images(arguments);
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
