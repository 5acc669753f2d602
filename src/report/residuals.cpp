// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report/residuals.h"

#include <cmath>
#include <limits>

#include "spatial/bounds.h"
#include "spatial/kd_search.h"
#include "spatial/local_cloud.h"
#include "spatial/parallel.h"

namespace dovetail::report {

Residuals::Residuals(const PointCloud& target, std::span<const std::uint32_t> kept) {
  const Bounds box = main_bounds(target, kept);
  center_ = box.center();
  scale_ = local_scale(box.diagonal());
  std::vector<Vec3f> points;
  points.reserve(kept.size());
  for (const std::uint32_t i : kept) points.push_back(((target.positions[i] - center_) * scale_).cast<float>());
  tree_ = KdTree(points);
}

std::vector<double> Residuals::operator()(const PointCloud& source, std::span<const std::uint32_t> shown,
                                          const Transform& target_from_source) const {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> residuals(shown.size(), unknown);
  if (tree_.empty()) return residuals;
  const KdTreeView tree = tree_.view();
  parallel_for(shown.size(), 1024, [&](std::size_t i) {
    const Vec3f p = ((target_from_source * source.positions[shown[i]] - center_) * scale_).cast<float>();
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) return;
    const Neighbour found = nearest(tree, p[0], p[1], p[2], std::numeric_limits<float>::max());
    if (found.found()) residuals[i] = std::sqrt(static_cast<double>(found.squared_distance)) / scale_;
  });
  return residuals;
}

}  // namespace dovetail::report
