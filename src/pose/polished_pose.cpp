// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/polished_pose.h"

#include <algorithm>

#include "pose/fine_pose.h"

namespace dovetail::pose {
namespace {

std::vector<std::size_t> explained_pixels(const RangeScene& scene, const Verdict& verdict) {
  std::vector<std::size_t> pixels;
  const PixelRegion& region = verdict.rendered.region;
  for (int y = region.top; y < region.bottom(); ++y) {
    for (int x = region.left; x < region.right(); ++x) {
      if (verdict.agrees[region.offset(x, y)]) pixels.push_back(scene.at(x, y));
    }
  }
  return pixels;
}

}  // namespace

void verify_and_polish(const RangeScene& scene, const Background& background, PartCandidate& candidate) {
  const WantedPart& wanted = *candidate.wanted;
  const auto draw = [&] { return verify(scene, wanted.mesh, candidate.pose, wanted.tolerance); };
  candidate.verdict = draw();
  candidate.log_odds = -20;
  constexpr double hopeless = 0.5;  // too far from the truth to get there
  if (candidate.verdict.purity() < hopeless) return;
  constexpr std::size_t most_points = 1200;
  constexpr int turns = 2;
  for (int turn = 0; turn < turns && candidate.verdict.pixels > 0; ++turn) {
    const std::vector<Vec3> points = visible_points(scene, candidate.verdict, candidate.pose, most_points);
    const double first = turn == 0 ? 3 * wanted.tolerance : wanted.tolerance;
    const Rigid3 before = candidate.pose;
    candidate.pose = refine(scene, points, before, {first, wanted.tolerance, 10});
    Verdict after = draw();
    if (after.explained - after.impossible < candidate.verdict.explained - candidate.verdict.impossible) {
      candidate.pose = before;
      break;
    }
    candidate.verdict = std::move(after);
  }
  std::vector<Vec3> surface;
  for (const Vec3& p : wanted.surface) surface.push_back(candidate.pose * p);
  candidate.evidence = part_evidence(scene, background, candidate.verdict, surface, wanted.tolerance, wanted.outlined);
  candidate.log_odds = part_log_odds(candidate.evidence);
  candidate.explains = explained_pixels(scene, candidate.verdict);
}

}  // namespace dovetail::pose
