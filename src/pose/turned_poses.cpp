// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/turned_poses.h"

#include <algorithm>
#include <array>
#include <numbers>

#include "core/eigen_symmetric.h"
#include "dovetail/rotation.h"
#include "pose/fine_pose.h"
#include "pose/polished_pose.h"

namespace dovetail::pose {
namespace {

/// Middle and main axes of what is explained, in the camera's frame.
struct Axes {
  Vec3 middle{};
  std::array<Vec3, 3> along;
};

Axes axes_of(const RangeScene& scene, const Verdict& verdict) {
  std::vector<Vec3> points;
  const PixelRegion& region = verdict.rendered.region;
  Axes axes;
  for (int y = region.top; y < region.bottom(); y += 2) {
    for (int x = region.left; x < region.right(); x += 2) {
      const std::size_t at = region.offset(x, y);
      if (!verdict.agrees[at]) continue;
      points.push_back(static_cast<double>(verdict.rendered.depth[at]) * scene.camera.direction(x, y));
      axes.middle += points.back();
    }
  }
  axes.middle *= 1.0 / static_cast<double>(std::max<std::size_t>(1, points.size()));
  Symmetric<double, 3> scatter{};
  for (const Vec3& p : points) scatter.add_outer(1, p - axes.middle);
  const auto eigen = eigen_symmetric(scatter);
  for (int k = 0; k < 3; ++k) axes.along[static_cast<std::size_t>(k)] = eigen.vector(k);
  return axes;
}

}  // namespace

std::vector<PartCandidate> turned_poses(const RangeScene& scene, const Background& background,
                                        const PartCandidate& candidate) {
  const WantedPart& wanted = *candidate.wanted;
  const Axes axes = axes_of(scene, candidate.verdict);
  std::vector<PartCandidate> turned;
  for (const Vec3& axis : axes.along) {
    for (int quarters = 1; quarters < 4; ++quarters) {
      const Mat3 turn = exp_so3(0.5 * std::numbers::pi * quarters * axis);
      PartCandidate other;
      other.wanted = &wanted;
      other.pose = Rigid3{turn, axes.middle - turn * axes.middle} * candidate.pose;
      if (alike(candidate, other)) continue;
      const Verdict first = verify(scene, wanted.mesh, other.pose, wanted.tolerance);
      constexpr std::size_t most_points = 200;
      const std::vector<Vec3> points = visible_points(scene, first, other.pose, most_points);
      other.pose = refine(scene, points, other.pose, {0.06 * wanted.diameter, 0.02 * wanted.diameter, 12});
      if (judge_points(scene, points, other.pose, 0.03 * wanted.diameter).worth() < 0.3) continue;
      verify_and_polish(scene, background, other);
      if (2 * other.explains.size() < candidate.explains.size() || alike(candidate, other)) continue;
      turned.push_back(std::move(other));
    }
  }
  return turned;
}

}  // namespace dovetail::pose
