// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/fine_pose.h"

#include <algorithm>
#include <cmath>

#include "core/normal_equations.h"
#include "core/solve_positive.h"

namespace dovetail::pose {

Rigid3 refine(const RangeScene& scene, std::span<const Vec3> points, const Rigid3& camera_from_part,
              const FineSettings& settings) {
  Rigid3 pose = camera_from_part;
  if (points.empty()) return pose;
  Vec3 middle{};
  for (const Vec3& p : points) middle += p;
  middle *= 1.0 / static_cast<double>(points.size());
  double radius = 0;
  for (const Vec3& p : points) radius = std::max(radius, norm(p - middle));
  for (int i = 0; i < settings.iterations; ++i) {
    const double along = settings.iterations > 1 ? static_cast<double>(i) / (settings.iterations - 1) : 1;
    const double gate = settings.first * std::pow(settings.last / settings.first, along);
    const Vec3 center = pose * middle;
    NormalEquations<6> sums = NormalEquations<6>::zero();
    for (const Vec3& p : points) {
      const Vec3 here = pose * p;
      if (!(here[2] > 0)) continue;
      const auto [x, y] = scene.pixel_of(here);
      if (!scene.contains(x, y) || scene.depth[scene.at(x, y)] == 0) continue;
      const Vec3f& flat = scene.normal[scene.at(x, y)];
      if (flat[0] == 0 && flat[1] == 0 && flat[2] == 0) continue;
      const Vec3 normal = flat.cast<double>(), off = here - scene.point(x, y);
      const double residual = dot(normal, off);
      if (!(std::fabs(residual) < gate) || squared_norm(off) > 9 * gate * gate) continue;
      const double share = residual / gate, weight = (1 - share * share) * (1 - share * share);
      const Vec3 lever = cross(here - center, normal);
      sums.add(weight, {lever[0], lever[1], lever[2], normal[0], normal[1], normal[2]}, residual);
    }
    if (sums.weight < 6) break;
    // A little of everything holds everything: a plate does not slide away on a table.
    const double hold = 1e-3 * sums.weight;
    for (int k = 0; k < 3; ++k) {
      sums.jtj(k, k) += hold * radius * radius;
      sums.jtj(k + 3, k + 3) += hold;
    }
    const Vector<double, 6> step = solve_positive(sums.jtj, -sums.jtr);
    pose = step_about(center, step) * pose;
    const double moved = norm(Vec3{step[3], step[4], step[5]}) + radius * norm(Vec3{step[0], step[1], step[2]});
    if (along == 1 && moved < 1e-5 * radius) break;
  }
  return pose;
}

PointVerdict judge_points(const RangeScene& scene, std::span<const Vec3> points, const Rigid3& camera_from_part,
                          double tolerance) {
  PointVerdict verdict;
  const double share = 1 / static_cast<double>(std::max<std::size_t>(1, points.size()));
  for (const Vec3& p : points) {
    const Vec3 here = camera_from_part * p;
    const auto [x, y] = here[2] > 0 ? scene.pixel_of(here) : RangeScene::Pixel{-1, -1};
    if (!scene.contains(x, y) || scene.depth[scene.at(x, y)] == 0) {
      verdict.unknown += share;
      continue;
    }
    const double behind = static_cast<double>(scene.depth[scene.at(x, y)]) - here[2];
    (std::fabs(behind) <= tolerance ? verdict.explained : behind > 0 ? verdict.impossible : verdict.hidden) += share;
  }
  return verdict;
}

}  // namespace dovetail::pose
