// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <memory>

#include "core/random.h"
#include "dovetail/rotation.h"
#include "dovetail/scanner.h"
#include "harness.h"
#include "pose/depth_renderer.h"
#include "pose/depth_sensor.h"
#include "spatial/parallel.h"

// How fast a camera's images of many parts are made by ray casting.

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
          .number("processor_ms_an_image", timing.processor_ms / images)
          .value(1000 * images / timing.median_ms, "images/s");
    }
  }
}

}  // namespace

int run(const Arguments& arguments) {
  describe_machine("render");
  if (!arguments.gpu_only && pose::depth_renderer_available()) whole_images(arguments);
  return 0;
}

}  // namespace dovetail::bench

int main(int argc, char** argv) { return dovetail::bench::run(dovetail::bench::parse_arguments(argc, argv)); }
