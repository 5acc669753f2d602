// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/scene_patches.h"

#include <cmath>

namespace dovetail::pose {

std::vector<int> scene_patches(const RangeScene& scene, const std::vector<std::uint8_t>& taken, double step) {
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

}  // namespace dovetail::pose
