// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/normals.h"

#include <limits>

#include "spatial/kd_search.h"
#include "spatial/parallel.h"

namespace dovetail {

void estimate_normals_cpu(const KdTree& tree, const NormalSettings& settings, const NormalArrays& out) {
  constexpr std::uint32_t block_size = 1024;
  const KdTreeView view = tree.view();
  // In the order of the slots: consecutive queries are near each other and find their nodes in the cache.
  parallel_for(view.count, block_size, [&](std::size_t slot) {
    const TreePoint p = view.points[slot];
    KNearest<max_normal_neighbours> neighbours(settings.neighbours, std::numeric_limits<float>::infinity());
    search(view, p.x, p.y, p.z, neighbours);
    const NormalEstimate estimate = normal_from_neighbours(view, {p.x, p.y, p.z}, neighbours, settings);
    const std::uint32_t i = tree.order()[slot];
    out.nx[i] = estimate.normal[0];
    out.ny[i] = estimate.normal[1];
    out.nz[i] = estimate.normal[2];
    if (!out.variation.empty()) out.variation[i] = estimate.variation;
  });
}

}  // namespace dovetail
