// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "judge/free_space.h"

#include <algorithm>

namespace dovetail {

namespace {

constexpr std::size_t asked = 1500;
/// How far before what was seen a point has to be, in radii of the source, and in cells of the view.
constexpr double clearly = 0.06, cells = 3;

double share_before(const PreparedCloud& cloud, const Similarity3& pose, const RangeMap& view, double slack) {
  double looked_at = 0, before = 0;
  const LocalCloud& points = cloud.points;
  const std::size_t every = std::max<std::size_t>(1, points.size() / asked);
  for (std::size_t i = 0; i < points.size(); i += every) {
    const Vec3 y = pose * Vec3{double{points.x[i]}, double{points.y[i]}, double{points.z[i]}};
    const std::uint32_t cell = view.cell_of(y);
    looked_at += 1;
    if (cell == RangeMap::no_cell || view.at(cell).nothing()) continue;
    const double range = norm(y - view.viewpoint());
    before += range < double{view.at(cell).near} - slack - cells * view.cell() * range ? 1 : 0;
  }
  return looked_at > 0 ? before / looked_at : 0;
}

}  // namespace

std::optional<double> seen_through(const Prepared& prepared, const Similarity3& pose) {
  if (prepared.source_view == nullptr && prepared.target_view == nullptr) return std::nullopt;
  const double slack = clearly * prepared.source->radius;
  double most = 0;
  if (prepared.target_view != nullptr) {
    most = share_before(*prepared.source, pose, *prepared.target_view, slack);
  }
  if (prepared.source_view != nullptr) {
    most = std::max(most, share_before(*prepared.target, pose.inverse(), *prepared.source_view, slack / pose.scale));
  }
  return most;
}

}  // namespace dovetail
