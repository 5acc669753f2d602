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

/// Connected pixels of one surface each: -1 for those at edges, without depth or taken.
std::vector<int> patches_of(const RangeScene& scene, const std::vector<std::uint8_t>& taken, double step) {
  std::vector<int> patch(scene.depth.size(), -1);
  std::vector<std::size_t> stack;
  int count = 0;
  const auto width = static_cast<std::size_t>(scene.camera.width);
  const auto free = [&](std::size_t i) { return scene.depth[i] > 0 && scene.distance[i] > 0 && !taken[i]; };
  for (std::size_t seed = 0; seed < patch.size(); ++seed) {
    if (patch[seed] >= 0 || !free(seed)) continue;
    patch[seed] = count;
    stack.push_back(seed);
    while (!stack.empty()) {
      const std::size_t i = stack.back();
      stack.pop_back();
      const std::size_t x = i % width;
      const auto go = [&](std::size_t j) {
        if (patch[j] >= 0 || !free(j) || std::fabs(scene.depth[j] - scene.depth[i]) > step) return;
        patch[j] = count;
        stack.push_back(j);
      };
      if (x > 0) go(i - 1);
      if (x + 1 < width) go(i + 1);
      if (i >= width) go(i - width);
      if (i + width < patch.size()) go(i + width);
    }
    ++count;
  }
  return patch;
}

/// Of each patch, whether it is larger than `size` mm.
std::vector<std::uint8_t> large_patches(const RangeScene& scene, const std::vector<int>& patch, double size) {
  struct Extent {
    int left = 1 << 30, right = -1, top = 1 << 30, bottom = -1;
    double depth = 1e300;
  };
  std::vector<Extent> extents;
  for (int y = 0; y < scene.camera.height; ++y) {
    for (int x = 0; x < scene.camera.width; ++x) {
      const int p = patch[scene.at(x, y)];
      if (p < 0) continue;
      if (static_cast<std::size_t>(p) >= extents.size()) extents.resize(static_cast<std::size_t>(p) + 1);
      Extent& e = extents[static_cast<std::size_t>(p)];
      e.left = std::min(e.left, x), e.right = std::max(e.right, x);
      e.top = std::min(e.top, y), e.bottom = std::max(e.bottom, y);
      e.depth = std::min(e.depth, static_cast<double>(scene.depth[scene.at(x, y)]));
    }
  }
  std::vector<std::uint8_t> large;
  for (const Extent& e : extents) {
    large.push_back(std::hypot(e.right - e.left, e.bottom - e.top) * e.depth / scene.camera.fx > size);
  }
  return large;
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

std::vector<SceneStart> scene_starts(const RangeScene& scene, const std::vector<std::uint8_t>& taken,
                                     const std::vector<std::uint8_t>& background, const StartSettings& settings) {
  const std::vector<int> patch = patches_of(scene, taken, 0.25 * settings.narrow);
  // The middle of a patch first: pixels by their distance to an edge, in mm.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    if (patch[i] >= 0) order.push_back(i);
  }
  const auto width_at = [&](std::size_t i) {
    return 2 * static_cast<double>(scene.distance[i]) * static_cast<double>(scene.depth[i]) / scene.camera.fx;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return width_at(a) > width_at(b); });
  const auto columns = static_cast<std::size_t>(scene.camera.width);
  std::vector<SceneStart> starts;
  int starts_on_large = 0;
  std::vector<std::uint8_t> near_one(patch.size(), 0);
  for (const std::size_t i : order) {
    if (width_at(i) < settings.narrow) break;
    if (near_one[i]) continue;
    const int x = static_cast<int>(i % columns), y = static_cast<int>(i / columns);
    const int reach =
        std::max(1, static_cast<int>(settings.apart * scene.camera.fx / static_cast<double>(scene.depth[i])));
    double sum = 0;
    int count = 0;
    for (int v = std::max(0, y - reach); v <= std::min(scene.camera.height - 1, y + reach); ++v) {
      for (int u = std::max(0, x - reach); u <= std::min(scene.camera.width - 1, x + reach); ++u) {
        const std::size_t j = scene.at(u, v);
        if (patch[j] != patch[i] || (u - x) * (u - x) + (v - y) * (v - y) > reach * reach) continue;
        near_one[j] = 1;
        if (std::abs(u - x) <= 2 && std::abs(v - y) <= 2) sum += static_cast<double>(scene.depth[j]), ++count;
      }
    }
    constexpr int most_on_large = 12;
    const bool on_large = background[i];
    if (on_large && ++starts_on_large > most_on_large) continue;
    starts.push_back({x, y, sum / std::max(1, count), on_large});
  }
  std::stable_sort(starts.begin(), starts.end(), [](const SceneStart& a, const SceneStart& b) {
    return a.on_large != b.on_large ? b.on_large : a.depth < b.depth;
  });
  return starts;
}

std::vector<std::uint8_t> background_of(const RangeScene& scene, const StartSettings& settings) {
  const std::vector<int> patch =
      patches_of(scene, std::vector<std::uint8_t>(scene.depth.size(), 0), 0.25 * settings.narrow);
  const std::vector<std::uint8_t> large = large_patches(scene, patch, settings.large);
  // Flat: nearly all normals are near to their mean.
  std::vector<Vec3> mean(large.size());
  for (std::size_t i = 0; i < patch.size(); ++i) {
    if (patch[i] >= 0) mean[static_cast<std::size_t>(patch[i])] += scene.normal[i].cast<double>();
  }
  for (Vec3& m : mean) m *= 1 / std::max(norm(m), 1e-300);
  std::vector<long> known(large.size(), 0), along(large.size(), 0);
  constexpr double near = 0.97;  // cosine of 14 degrees
  for (std::size_t i = 0; i < patch.size(); ++i) {
    if (patch[i] < 0 || scene.normal[i][2] == 0) continue;
    const auto p = static_cast<std::size_t>(patch[i]);
    ++known[p];
    along[p] += dot(mean[p], scene.normal[i].cast<double>()) > near;
  }
  // Of those patches what lies in their plane: a box that stands on a floor is not cut off from it by any edge.
  std::vector<std::vector<float>> height(large.size());
  const auto height_of = [&](std::size_t i) {
    const auto columns = static_cast<std::size_t>(scene.camera.width);
    const Vec3 p = scene.point(static_cast<int>(i % columns), static_cast<int>(i / columns));
    return static_cast<float>(dot(mean[static_cast<std::size_t>(patch[i])], p));
  };
  const auto flat = [&](std::size_t i) {
    if (patch[i] < 0) return false;
    const auto p = static_cast<std::size_t>(patch[i]);
    return large[p] && 10 * along[p] > 5 * known[p] && dot(mean[p], scene.normal[i].cast<double>()) > near;
  };
  for (std::size_t i = 0; i < patch.size(); ++i) {
    if (flat(i)) height[static_cast<std::size_t>(patch[i])].push_back(height_of(i));
  }
  std::vector<float> middle(large.size(), 0.0f);
  for (std::size_t p = 0; p < large.size(); ++p) {
    if (height[p].empty()) continue;
    const auto at = height[p].begin() + static_cast<std::ptrdiff_t>(height[p].size() / 2);
    std::nth_element(height[p].begin(), at, height[p].end());
    middle[p] = *at;
  }
  std::vector<std::uint8_t> background(patch.size(), 0);
  const auto thick = static_cast<float>(0.5 * settings.narrow);
  for (std::size_t i = 0; i < patch.size(); ++i) {
    background[i] = flat(i) && std::fabs(height_of(i) - middle[static_cast<std::size_t>(patch[i])]) < thick;
  }
  return background;
}

}  // namespace dovetail::pose
