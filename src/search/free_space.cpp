// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/free_space.h"

#include <algorithm>

namespace dovetail {

namespace {

/// How far before what was seen a point has to be, in radii of the source.
constexpr double clearly = 0.05;

double share_before(const PreparedCloud& cloud, const Similarity3& pose, const RangeMap& view, double slack,
                    std::size_t asked) {
  double looked_at = 0, before = 0;
  const LocalCloud& points = cloud.points;
  const std::size_t every = std::max<std::size_t>(1, points.size() / asked);
  for (std::size_t i = 0; i < points.size(); i += every) {
    const Vec3 y = pose * Vec3{double{points.x[i]}, double{points.y[i]}, double{points.z[i]}};
    const std::uint32_t cell = view.cell_of(y);
    looked_at += 1;
    if (cell == RangeMap::no_cell) continue;
    before += norm(y - view.viewpoint()) < view.clear_up_to(cell) - slack ? 1 : 0;
  }
  return looked_at > 0 ? before / looked_at : 0;
}

}  // namespace

std::optional<double> seen_through(const Prepared& prepared, const Similarity3& pose, std::size_t asked) {
  if (prepared.source_view == nullptr && prepared.target_view == nullptr) return std::nullopt;
  const double slack = clearly * prepared.source->radius;
  double most = 0;
  if (prepared.target_view != nullptr) {
    most = share_before(*prepared.source, pose, *prepared.target_view, slack, asked);
  }
  if (prepared.source_view != nullptr) {
    most = std::max(most,
                    share_before(*prepared.target, pose.inverse(), *prepared.source_view, slack / pose.scale, asked));
  }
  return most;
}

}  // namespace dovetail
