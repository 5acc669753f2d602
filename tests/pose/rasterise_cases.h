// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "backend/backend.h"
#include "core/random.h"
#include "dovetail/rotation.h"
#include "dovetail/scanner.h"

// Scenes for drawing: built-in parts at random poses, in regions of an image.

namespace dovetail::test {

inline TriangleMesh triangle_mesh(const PointCloud& mesh) {
  TriangleMesh result;
  for (const Vec3& p : mesh.positions) result.points.push_back(p.cast<float>());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (std::uint32_t k = mesh.faces.start[f] + 2; k < mesh.faces.start[f + 1]; ++k) {
      result.triangles.push_back({mesh.faces.index[mesh.faces.start[f]], mesh.faces.index[k - 1], mesh.faces.index[k]});
    }
  }
  return result;
}

/// Its points where single precision has them.
inline PointCloud rounded(PointCloud mesh) {
  for (Vec3& p : mesh.positions) p = p.cast<float>().cast<double>();
  return mesh;
}

struct RasterScene {
  struct Posed {
    std::size_t mesh;
    Rigid3 camera_from_mesh;
    std::uint32_t label, region;
  };
  raster::Camera camera;
  std::vector<PointCloud> clouds;
  std::vector<TriangleMesh> meshes;
  std::vector<raster::Region> regions;
  std::vector<Posed> posed;

  void add_mesh(const PointCloud& cloud) {
    clouds.push_back(rounded(cloud));
    meshes.push_back(triangle_mesh(clouds.back()));
  }
  void add_region(int left, int top, int width, int height) {
    const std::uint64_t begin = pixel_count();
    regions.push_back({left, top, width, height, begin});
  }
  std::size_t pixel_count() const {
    if (regions.empty()) return 0;
    const raster::Region& last = regions.back();
    return last.begin + static_cast<std::size_t>(last.width) * static_cast<std::size_t>(last.height);
  }
};

/// A camera of 640 x 480 and `count` regions, each with up to three parts before it.
inline RasterScene random_scene(std::uint64_t seed, int count) {
  RandomStream random(seed, 0);
  RasterScene scene;
  scene.camera = {600, 610, 321.3, 238.6};
  for (const BuiltInPart part : {BuiltInPart::t_pipe, BuiltInPart::hex_bolt, BuiltInPart::box, BuiltInPart::mug}) {
    scene.add_mesh(built_in_part(part));
  }
  for (int i = 0; i < count; ++i) {
    const int left = static_cast<int>(random.below(540)), top = static_cast<int>(random.below(380));
    scene.add_region(left, top, 1 + static_cast<int>(random.below(100)), 1 + static_cast<int>(random.below(100)));
    for (std::uint32_t k = 0; k <= random.below(3); ++k) {
      const double z = random.uniform(300, 900);
      const Vec3 along =
          scene.camera.direction(left + static_cast<int>(random.below(100)), top + static_cast<int>(random.below(100)));
      scene.posed.push_back({random.below(static_cast<std::uint32_t>(scene.meshes.size())),
                             {random.rotation(), z * along},
                             k,
                             static_cast<std::uint32_t>(i)});
    }
  }
  return scene;
}

/// The pixels of all regions as a machine draws them.
inline std::vector<raster::Pixel> drawn_on(Backend& machine, const RasterScene& scene) {
  Memory& memory = machine.memory();
  std::vector<Placed<TriangleMeshView>> placed;
  Rasterise job;
  job.camera = scene.camera;
  for (const TriangleMesh& mesh : scene.meshes) {
    placed.push_back(put(memory, mesh));
    job.most_triangles = std::max(job.most_triangles, placed.back().view.count);
  }
  std::vector<RasterDraw> draws;
  for (const RasterScene::Posed& posed : scene.posed) {
    draws.push_back({placed[posed.mesh].view, posed.camera_from_mesh, posed.label, posed.region});
  }
  Keeper keeper;
  job.regions = memory.put(scene.regions, keeper);
  job.region_count = static_cast<std::uint32_t>(scene.regions.size());
  job.draws = memory.put(draws, keeper);
  job.draw_count = static_cast<std::uint32_t>(draws.size());
  job.pixel_count = scene.pixel_count();
  job.pixels = memory.room<raster::Pixel>(job.pixel_count, keeper);
  machine.run(job);
  return memory.get(static_cast<const raster::Pixel*>(job.pixels), job.pixel_count);
}

}  // namespace dovetail::test
