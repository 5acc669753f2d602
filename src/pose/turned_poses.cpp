// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/turned_poses.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numbers>

#include "core/eigen_symmetric.h"
#include "dovetail/rotation.h"
#include "pose/polished_pose.h"
#include "spatial/parallel.h"

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
      points.push_back(static_cast<double>(verdict.rendered.depth(at)) * scene.camera.direction(x, y));
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

std::vector<PartCandidate> turned_poses(const FineScene& scene, std::span<const PartCandidate> candidates,
                                        const Control& control) {
  std::vector<std::vector<PartCandidate>> turns(candidates.size());
  parallel_for(candidates.size(), 1, [&](std::size_t i) {
    const Axes axes = axes_of(scene.scene(), candidates[i].verdict);
    for (const Vec3& axis : axes.along) {
      for (int quarters = 1; quarters < 4; ++quarters) {
        const Mat3 turn = exp_so3(0.5 * std::numbers::pi * quarters * axis);
        PartCandidate other;
        other.wanted = candidates[i].wanted;
        other.pose = Rigid3{turn, axes.middle - turn * axes.middle} * candidates[i].pose;
        if (!alike(candidates[i], other)) turns[i].push_back(std::move(other));
      }
    }
  });
  std::vector<PartCandidate> turned;
  std::vector<std::size_t> of;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    of.insert(of.end(), turns[i].size(), i);
    std::move(turns[i].begin(), turns[i].end(), std::back_inserter(turned));
  }
  constexpr std::size_t most_points = 200;
  const std::vector<FinePose> refined = refine_visible(
      scene, turned, most_points,
      [](const WantedPart& w) {
        return FineSettings{0.06 * w.diameter, 0.02 * w.diameter, 12, 0.03 * w.diameter};
      },
      control);
  if (refined.size() != turned.size()) return {};
  std::size_t kept = 0;
  for (std::size_t i = 0; i < turned.size(); ++i) {
    constexpr double hopeless = 0.3;
    if (refined[i].verdict.worth() < hopeless) continue;
    turned[i].pose = refined[i].pose;
    if (kept != i) turned[kept] = std::move(turned[i]);
    of[kept++] = of[i];
  }
  turned.resize(kept);
  verify_and_polish(scene, turned, control);
  std::vector<PartCandidate> like;
  for (std::size_t i = 0; i < kept; ++i) {
    const PartCandidate& candidate = candidates[of[i]];
    if (2 * turned[i].explains.size() < candidate.explains.size() || alike(candidate, turned[i])) continue;
    like.push_back(std::move(turned[i]));
  }
  return like;
}

}  // namespace dovetail::pose
