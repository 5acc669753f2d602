// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/found_part_odds.h"

#include <algorithm>
#include <cmath>

#include "pose/edge_image.h"

namespace dovetail::pose {

std::vector<Evidence> PartEvidence::named() const {
  return {{"purity", purity},   {"visible", visible}, {"closeness", closeness},  {"edges", edges},
          {"normals", normals}, {"beneath", beneath}, {"log_pixels", log_pixels}};
}

PartEvidence part_evidence(const RangeScene& scene, const std::vector<std::uint8_t>& background, const Verdict& verdict,
                           double tolerance) {
  PartEvidence evidence;
  evidence.purity = verdict.purity();
  evidence.visible = verdict.visible();
  evidence.closeness = 1 - verdict.rmse / tolerance;
  evidence.log_pixels = std::log(static_cast<double>(std::max(1l, verdict.explained)));
  const PixelRegion& region = verdict.rendered.region;
  const std::vector<std::uint8_t> edges =
      depth_edges(verdict.rendered.depth, region.width, region.height, 2 * tolerance);
  long outline = 0, met = 0, told = 0, beneath = 0;
  double cosines = 0;
  for (int y = region.top; y < region.bottom(); ++y) {
    for (int x = region.left; x < region.right(); ++x) {
      const std::size_t at = region.offset(x, y), in_scene = scene.at(x, y);
      if (!verdict.agrees[at]) continue;
      beneath += background[in_scene];
      const Vec3f& normal = scene.normal[in_scene];
      if (normal[2] != 0 && !edges[at]) {
        ++told;
        cosines += std::max(0.0, static_cast<double>(dot(normal, verdict.normal[at])));
      }
      if (!edges[at]) continue;
      ++outline;
      met += std::fabs(scene.distance[in_scene]) <= 2;
    }
  }
  evidence.edges = outline > 0 ? static_cast<double>(met) / static_cast<double>(outline) : 1;
  evidence.beneath = static_cast<double>(beneath) / static_cast<double>(std::max(1l, verdict.explained));
  evidence.normals = told > 0 ? cosines / static_cast<double>(told) : 0;
  return evidence;
}

double part_log_odds(const PartEvidence& e) {
  return 80 * (e.purity - 0.96) + 8 * (e.visible - 0.45) + 6 * (e.edges - 0.7) + 15 * (e.normals - 0.95) +
         4 * (e.closeness - 0.6) + 0.5 * (std::min(e.log_pixels, 7.0) - 7) - 15 * e.beneath - 4;
}

}  // namespace dovetail::pose
