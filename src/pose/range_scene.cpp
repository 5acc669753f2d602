// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/range_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/eigen_symmetric.h"
#include "pose/edge_image.h"
#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

/// Of each pixel and its neighbours that have a depth. A hole is filled where six of its neighbours agree on it.
std::vector<float> median_of_nine(const RangeImage& image) {
  const int width = image.camera.width, height = image.camera.height;
  std::vector<float> result(image.depth.size(), 0.0f);
  parallel_for(static_cast<std::size_t>(height), 16, [&](std::size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < width; ++x) {
      std::array<float, 9> near{};  // the first `count`, in order
      std::size_t count = 0;
      const auto add = [&](float d) {
        std::size_t place = count++;
        for (; place > 0 && near[place - 1] > d; --place) near[place] = near[place - 1];
        near[place] = d;
      };
      for (int v = std::max(0, y - 1); v <= std::min(height - 1, y + 1); ++v) {
        for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) {
          if (const float d = image.at(u, v); d > 0) add(d);
        }
      }
      const bool hole = image.at(x, y) == 0;
      if (count < (hole ? 6u : 2u)) continue;
      if (hole && near[count - 1] > 1.01f * near[0]) continue;
      result[row * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] = near[count / 2];
    }
  });
  return result;
}

/// Of the plane through the pixels nearby that belong to the same surface.
Vec3f normal_at(const RangeScene& scene, int x, int y, double edge_step) {
  constexpr int reach = 2;
  const float here = scene.depth[scene.at(x, y)];
  if (here == 0) return {};
  std::array<Vec3, (2 * reach + 1) * (2 * reach + 1)> near;
  std::size_t count = 0;
  Vec3 mean{};
  for (int v = y - reach; v <= y + reach; ++v) {
    for (int u = x - reach; u <= x + reach; ++u) {
      if (!scene.contains(u, v)) continue;
      const float there = scene.depth[scene.at(u, v)];
      if (there == 0 || std::fabs(there - here) > edge_step) continue;
      near[count] = scene.point(u, v);
      mean += near[count++];
    }
  }
  if (count < 6) return {};
  mean *= 1.0 / static_cast<double>(count);
  Symmetric<double, 3> scatter{};
  for (std::size_t i = 0; i < count; ++i) scatter.add_outer(1, near[i] - mean);
  const auto e = eigen_symmetric(scatter);
  if (!(e.values[1] > 4 * e.values[0])) return {};  // no plane: a line of pixels, or noise alone
  const Vec3 normal = e.vector(0);
  return (dot(normal, scene.camera.direction(x, y)) > 0 ? -normal : normal).cast<float>();
}

}  // namespace

RangeScene::Pixel RangeScene::pixel_of(const Vec3& p) const {
  const double x = camera.fx * p[0] / p[2] + camera.cx - camera.pixel_center;
  const double y = camera.fy * p[1] / p[2] + camera.cy - camera.pixel_center;
  constexpr double far = 1e6;  // outside of every image, and within what an int holds
  return {static_cast<int>(std::floor(std::clamp(x, -far, far) + 0.5)),
          static_cast<int>(std::floor(std::clamp(y, -far, far) + 0.5))};
}

RangeScene prepare_scene(const RangeImage& image, double edge_step) {
  constexpr double farthest_edge = 40;  // pixels
  RangeScene scene;
  scene.camera = image.camera;
  scene.depth = median_of_nine(image);
  scene.edge_step = edge_step;
  const int width = image.camera.width, height = image.camera.height;
  const auto edges = depth_edges(scene.depth, width, height, edge_step);
  scene.distance = edge_distance(scene.depth, edges, width, height, farthest_edge);
  scene.normal.resize(scene.depth.size());
  parallel_for(static_cast<std::size_t>(height), 8, [&](std::size_t row) {
    for (int x = 0; x < width; ++x) {
      const int y = static_cast<int>(row);
      scene.normal[scene.at(x, y)] = normal_at(scene, x, y, edge_step);
    }
  });
  return scene;
}

}  // namespace dovetail::pose
