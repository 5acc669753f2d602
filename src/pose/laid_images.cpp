// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/laid_images.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "spatial/parallel.h"

namespace dovetail::pose {
namespace {

template <class To>
To in_steps(double value, int steps) {
  constexpr double low = std::numeric_limits<To>::lowest(), high = std::numeric_limits<To>::max();
  return static_cast<To>(std::lround(std::clamp(value * steps, low, high)));
}

struct OneReference {
  std::vector<LaidPixel> pixels;
  std::vector<std::uint32_t> corner;
  std::vector<LaidShift> seeds;
};

/// Groups of eight pixels that hold all of the part.
void add_groups(const PoseReferences& part, std::span<const ReferencePixel> image, OneReference& to) {
  const int size = part.image_size;
  std::vector<std::uint32_t> corner;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size;) {
      if (image[static_cast<std::size_t>(y * size + x)].depth == 0) {
        ++x;
        continue;
      }
      corner.push_back(static_cast<std::uint32_t>(y) << 16 | static_cast<std::uint32_t>(x));
      x += static_cast<int>(group_pixels);
    }
  }
  // By a sequence of which every beginning is spread evenly over the image.
  std::vector<std::uint32_t> order(corner.size());
  std::iota(order.begin(), order.end(), 0u);
  constexpr std::uint32_t golden = 2654435769u;  // 2³² (√5 - 1) / 2
  std::sort(order.begin(), order.end(), [](std::uint32_t a, std::uint32_t b) { return a * golden < b * golden; });
  for (const std::uint32_t g : order) {
    to.corner.push_back(corner[g]);
    const int y = static_cast<int>(corner[g] >> 16), left = static_cast<int>(corner[g] & 0xffffu);
    for (int x = left; x < left + static_cast<int>(group_pixels); ++x) {
      LaidPixel pixel{};
      if (x < size) {
        if (const ReferencePixel p = image[static_cast<std::size_t>(y * size + x)]; p.depth != 0) {
          pixel.depth = in_steps<std::int16_t>(part.depth(p) / part.pixel, depth_steps);
          pixel.distance = in_steps<std::int8_t>(p.distance * part.distance_step, distance_steps);
          pixel.weight = p.confidence;
        }
      }
      to.pixels.push_back(pixel);
    }
  }
}

/// Of the paper: the image's middle on the place, the part's surface at the place's depth in the mean.
LaidShift middle_seed(const PoseReferences& part, std::span<const ReferencePixel> image) {
  double sum = 0;
  int count = 0;
  for (const ReferencePixel& p : image) {
    if (p.depth != 0) sum += part.depth(p), ++count;
  }
  return {0, 0, -in_steps<std::int32_t>(sum / std::max(1, count) / part.pixel, depth_steps)};
}

/// Places of the part, each as far as may be from those before; the first is the farthest from every edge.
void add_seeds(const PoseReferences& part, std::span<const ReferencePixel> image, std::size_t most, OneReference& to) {
  struct Place {
    int x, y, distance;
    double depth;
  };
  std::vector<Place> places;
  const int size = part.image_size;
  int inner = 0;
  for (const ReferencePixel& p : image) inner = std::max(inner, p.depth != 0 ? int{p.distance} : 0);
  const int least = std::min(inner, static_cast<int>(std::lround(1.5 / part.distance_step)));
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const ReferencePixel p = image[static_cast<std::size_t>(y * size + x)];
      if (p.depth != 0 && p.distance >= least) places.push_back({x, y, p.distance, part.depth(p)});
    }
  }
  if (places.empty()) return;
  std::vector<int> apart(places.size(), std::numeric_limits<int>::max());
  std::size_t next = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].distance > places[next].distance) next = i;
  }
  constexpr int near = 4;  // squared pixels: a simplex goes that far by itself
  while (to.seeds.size() < most && apart[next] >= near) {
    const Place& seed = places[next];
    const double middle = 0.5 * size;
    to.seeds.push_back({-in_steps<std::int32_t>(seed.x + 0.5 - middle, depth_steps),
                        -in_steps<std::int32_t>(seed.y + 0.5 - middle, depth_steps),
                        -in_steps<std::int32_t>(seed.depth / part.pixel, depth_steps)});
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const int dx = places[i].x - seed.x, dy = places[i].y - seed.y;
      apart[i] = std::min(apart[i], dx * dx + dy * dy);
      if (apart[i] > apart[farthest]) farthest = i;
    }
    next = farthest;
  }
}

}  // namespace

LaidReferences laid_references(const PoseReferences& part, std::size_t seeds) {
  std::vector<OneReference> each(part.references.size());
  parallel_for(each.size(), 8, [&](std::size_t r) {
    add_groups(part, part.image(r), each[r]);
    if (seeds > 0) {
      add_seeds(part, part.image(r), seeds, each[r]);
    } else {
      each[r].seeds = {middle_seed(part, part.image(r))};
    }
  });
  LaidReferences all;
  all.size = part.image_size;
  for (const OneReference& one : each) {
    all.references.push_back(
        {static_cast<std::uint32_t>(all.corner.size()), static_cast<std::uint32_t>(one.corner.size()),
         static_cast<std::uint32_t>(all.seeds.size()), static_cast<std::uint32_t>(one.seeds.size())});
    all.most_groups = std::max(all.most_groups, all.references.back().groups);
    all.pixels.insert(all.pixels.end(), one.pixels.begin(), one.pixels.end());
    all.corner.insert(all.corner.end(), one.corner.begin(), one.corner.end());
    all.seeds.insert(all.seeds.end(), one.seeds.begin(), one.seeds.end());
  }
  return all;
}

LaidWindow laid_window(const SceneWindow& window) {
  LaidWindow laid;
  laid.size = window.size;
  laid.stride = window.size + static_cast<std::int32_t>(group_pixels);
  laid.pixels.assign(static_cast<std::size_t>(laid.stride) * static_cast<std::size_t>(laid.size), LaidPixel{});
  for (int y = 0; y < window.size; ++y) {
    for (int x = 0; x < window.size; ++x) {
      const auto from = static_cast<std::size_t>(y * window.size + x);
      if (window.depth[from] == SceneWindow::nothing) continue;
      laid.pixels[static_cast<std::size_t>(y * laid.stride + x)] = {
          in_steps<std::int16_t>(static_cast<double>(window.depth[from]) / window.pixel, depth_steps),
          in_steps<std::int8_t>(static_cast<double>(window.distance[from]), distance_steps), 255};
    }
  }
  return laid;
}

}  // namespace dovetail::pose
