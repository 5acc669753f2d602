// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/edge_image.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "spatial/parallel.h"

namespace dovetail::pose {

std::vector<std::uint8_t> depth_edges(std::span<const float> depth, int width, int height, double step) {
  std::vector<std::uint8_t> edges(depth.size(), 0);
  const auto ends = [&](float here, float there) { return there == 0 || there - here > step; };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const std::size_t at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
      const float here = depth[at];
      if (here == 0) continue;
      const auto row = static_cast<std::size_t>(width);
      edges[at] = (x > 0 && ends(here, depth[at - 1])) || (x + 1 < width && ends(here, depth[at + 1])) ||
                  (y > 0 && ends(here, depth[at - row])) || (y + 1 < height && ends(here, depth[at + row]));
    }
  }
  return edges;
}

std::vector<float> edge_distance(std::span<const float> depth, std::span<const std::uint8_t> edges, int width,
                                 int height, double limit) {
  const auto row = static_cast<std::size_t>(width);
  const int far = static_cast<int>(std::ceil(limit)) + 1;
  // Along the columns first: rows between a pixel and the nearest edge above or below it.
  std::vector<int> rows(depth.size(), far);
  constexpr std::size_t together = 64;  // columns beside each other, row after row
  parallel_for((row + together - 1) / together, 1, [&](std::size_t run) {
    const std::size_t first = run * together, count = std::min(together, row - first);
    std::array<int, together> since;
    const auto pass = [&](int y) {
      const std::size_t begin = static_cast<std::size_t>(y) * row + first;
      for (std::size_t k = 0; k < count; ++k) {
        since[k] = edges[begin + k] ? 0 : std::min(since[k] + 1, far);
        rows[begin + k] = std::min(rows[begin + k], since[k]);
      }
    };
    since.fill(far);
    for (int y = 0; y < height; ++y) pass(y);
    since.fill(far);
    for (int y = height - 1; y >= 0; --y) pass(y);
  });
  // Then along the rows, no farther than the best so far.
  std::vector<float> distance(depth.size());
  parallel_for(static_cast<std::size_t>(height), 8, [&](std::size_t y) {
    const std::size_t begin = y * row;
    for (int x = 0; x < width; ++x) {
      const auto squared_to = [&](int other) {
        const int there = rows[begin + static_cast<std::size_t>(other)];
        return there >= far ? far * far : (other - x) * (other - x) + there * there;
      };
      int best = std::min(squared_to(x), far * far);
      for (int step = 1; step * step < best; ++step) {
        if (x - step >= 0) best = std::min(best, squared_to(x - step));
        if (x + step < width) best = std::min(best, squared_to(x + step));
      }
      const std::size_t at = begin + static_cast<std::size_t>(x);
      const auto found = static_cast<float>(std::min(std::sqrt(static_cast<double>(best)), limit));
      distance[at] = depth[at] == 0 ? -found : found;
    }
  });
  return distance;
}

}  // namespace dovetail::pose
