// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/scene_starts.h"

#include <algorithm>

#include "pose/scene_patches.h"
#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

/// Whether a place lies on background: most of what is about it does. Where two planes meet, as at the rim of a bin,
/// the pixels of the edge itself lie in neither.
bool mostly_background(const RangeScene& scene, const Background& background, int x, int y) {
  constexpr int reach = 4;  // pixels: normals come from two to every side
  int all = 0, seen = 0;
  for (int v = y - reach; v <= y + reach; ++v) {
    for (int u = x - reach; u <= x + reach; ++u) {
      if (!scene.contains(u, v) || scene.depth[scene.at(u, v)] == 0) continue;
      ++all, seen += background.seen[scene.at(u, v)];
    }
  }
  return 2 * seen > all;
}

}  // namespace

std::vector<SceneStart> scene_starts(const RangeScene& scene, const std::vector<std::uint8_t>& taken,
                                     const Background& background, const StartSettings& settings) {
  const std::vector<int> patch = scene_patches(scene, taken, patch_step(settings));
  // The middle of a patch first: pixels by their distance to an edge, in mm.
  const auto width_at = [&](std::size_t i) {
    return 2 * static_cast<double>(scene.distance[i]) * static_cast<double>(scene.depth[i]) / scene.camera.fx;
  };
  struct Place {
    double width;
    std::size_t pixel;
  };
  std::vector<Place> order;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    if (patch[i] >= 0 && !(width_at(i) < settings.narrow)) order.push_back({width_at(i), i});
  }
  parallel_sort(order.begin(), order.end(), [](const Place& a, const Place& b) {
    return a.width != b.width ? a.width > b.width : a.pixel < b.pixel;
  });
  const auto columns = static_cast<std::size_t>(scene.camera.width);
  std::vector<SceneStart> starts;
  int starts_on_large = 0;
  std::vector<std::uint8_t> near_one(patch.size(), 0);
  for (const auto& [width, i] : order) {
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
    const bool on_large = mostly_background(scene, background, x, y);
    if (on_large && ++starts_on_large > most_on_large) continue;
    starts.push_back({x, y, sum / std::max(1, count), on_large});
  }
  std::stable_sort(starts.begin(), starts.end(), [](const SceneStart& a, const SceneStart& b) {
    return a.on_large != b.on_large ? b.on_large : a.depth < b.depth;
  });
  return starts;
}

}  // namespace dovetail::pose
