// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/reference/normals.h"

#include <limits>

#include "spatial/squared_distance.h"

namespace dovetail {

void estimate_normals_reference(const KdTree& tree, const NormalSettings& settings, const NormalArrays& out) {
  for (std::uint32_t slot = 0; slot < tree.size(); ++slot) {
    const TreePoint p = tree.points()[slot];
    KNearest<max_normal_neighbours> neighbours(settings.neighbours, std::numeric_limits<float>::infinity());
    for (std::uint32_t other = 0; other < tree.size(); ++other) {
      const TreePoint q = tree.points()[other];
      neighbours.offer({other, q.index, squared_distance(p.x - q.x, p.y - q.y, p.z - q.z)});
    }
    const NormalEstimate estimate = normal_from_neighbours(tree.view(), {p.x, p.y, p.z}, neighbours, settings);
    const std::uint32_t i = tree.order()[slot];
    out.nx[i] = estimate.normal[0];
    out.ny[i] = estimate.normal[1];
    out.nz[i] = estimate.normal[2];
    if (!out.variation.empty()) out.variation[i] = estimate.variation;
  }
}

}  // namespace dovetail
