// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/depth_sensor.h"

#include <cmath>
#include <numbers>

#include "core/random.h"

namespace dovetail::pose {
namespace {

/// Apart from the streams that others draw from with the same seed.
constexpr std::uint64_t first_stream = std::uint64_t{1} << 40;

/// The depth beside a pixel that differs most from its own: 0 where a neighbour has none. Its own where there is no
/// edge.
float across_edge(const RenderedDepth& image, int x, int y, double edge) {
  const float own = image.depth_at(x, y);
  float other = own;
  constexpr int steps[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  for (const auto& [dx, dy] : steps) {
    if (!image.region.contains(x + dx, y + dy)) continue;
    const float beside = image.depth_at(x + dx, y + dy);
    if (std::fabs(beside - own) > edge * own && std::fabs(beside - own) > std::fabs(other - own)) other = beside;
  }
  return other;
}

}  // namespace

std::vector<float> measured_depth(const RenderedView& view, const Pinhole& camera, const DepthSensor& sensor,
                                  double baseline, std::uint64_t seed) {
  const RenderedDepth& image = view.image;
  const double least_cosine = std::cos(sensor.max_slant * std::numbers::pi / 180);
  std::vector<float> measured(image.depth.size(), 0.0f);
  for (int y = image.region.top; y < image.region.bottom(); ++y) {
    for (int x = image.region.left; x < image.region.right(); ++x) {
      const std::size_t at = image.region.offset(x, y);
      double depth = image.depth[at];
      if (!(depth > 0) || view.lit[at] == 0 || view.cosine[at] < least_cosine) continue;
      // All are drawn for every pixel, so that one option does not change what another does.
      RandomStream random(seed, first_stream + static_cast<std::uint64_t>(y) * 65536 + static_cast<std::uint64_t>(x));
      const double dropped = random.uniform(), at_edge = random.uniform(), between = random.uniform();
      const double error = random.normal();
      if (dropped < sensor.dropout) continue;
      if (const float other = across_edge(image, x, y, sensor.edge); other != image.depth[at]) {
        if (at_edge < sensor.edge_holes) continue;
        if (at_edge >= 1 - sensor.flying && other > 0) depth += between * (other - depth);
      }
      const double cosine = view.cosine[at], squared_tangent = 1 / (cosine * cosine) - 1;
      double shift = camera.fx * baseline / depth;
      shift += sensor.shift_noise * (1 + sensor.slant_noise * squared_tangent) * error;
      if (sensor.shift_step > 0) shift = sensor.shift_step * std::round(shift / sensor.shift_step);
      if (shift > 0) measured[at] = static_cast<float>(camera.fx * baseline / shift);
    }
  }
  return measured;
}

}  // namespace dovetail::pose
