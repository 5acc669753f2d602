// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scenes/resting.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "dovetail/rotation.h"

namespace dovetail::bench::scenes {
namespace {

constexpr double pi = std::numbers::pi;

const Vec3& farthest_along(const Vec3& direction, const std::vector<Vec3>& points) {
  return *std::max_element(points.begin(), points.end(),
                           [&](const Vec3& a, const Vec3& b) { return dot(a, direction) < dot(b, direction); });
}

/// A rotation that takes one unit vector to another.
Mat3 turning(const Vec3& from, const Vec3& to) {
  const Vec3 axis = cross(from, to);
  const double sine = norm(axis), angle = std::atan2(sine, dot(from, to));
  if (sine > 1e-12) return exp_so3((angle / sine) * axis);
  if (angle < 1) return Mat3::identity();
  const Vec3 beside = cross(from, std::abs(from[0]) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
  return exp_so3((pi / norm(beside)) * beside);
}

Rigid3 lowest_at_zero(const Mat3& rotation, const std::vector<Vec3>& points) {
  double lowest = 0;
  for (const Vec3& p : points) lowest = std::min(lowest, (rotation * p)[2]);
  return {rotation, {0, 0, -lowest}};
}

}  // namespace

std::vector<Vec3> outermost(const std::vector<Vec3>& points) {
  constexpr int directions = 2000;  // over the sphere along a spiral
  std::set<const Vec3*> taken;
  for (int i = 0; i < directions; ++i) {
    const double z = 1 - (2.0 * i + 1) / directions, angle = 2.399963229728653 * i, r = std::sqrt(1 - z * z);
    taken.insert(&farthest_along({r * std::cos(angle), r * std::sin(angle), z}, points));
  }
  std::vector<Vec3> result;
  for (const Vec3* p : taken) result.push_back(*p);  // in the order of the points
  return result;
}

double diameter_of(const std::vector<Vec3>& points) {
  const std::vector<Vec3> outside = outermost(points);
  double largest = 0;
  for (const Vec3& p : outside) {
    for (const Vec3& q : outside) largest = std::max(largest, squared_norm(p - q));
  }
  return std::sqrt(largest);
}

Rigid3 resting_on_table(const std::vector<Vec3>& outermost_points, RandomStream& random) {
  Vec3 down = random.unit_vector();
  // The centre is as high as the point farthest down is below it: the steepest way to sink is to roll over that point.
  for (double step = 0.3; step > 1e-4; step *= 0.97) {
    const Vec3& foot = farthest_along(down, outermost_points);
    const Vec3 aside = foot - dot(foot, down) * down;
    if (norm(aside) < 1e-12) break;
    down -= (step / norm(aside)) * aside;
    down *= 1 / norm(down);
  }
  const Mat3 turn = exp_so3(Vec3{0, 0, random.uniform(-pi, pi)});
  return lowest_at_zero(turn * turning(down, {0, 0, -1}), outermost_points);
}

Rigid3 touching_table(const std::vector<Vec3>& outermost_points, RandomStream& random) {
  return lowest_at_zero(random.rotation(), outermost_points);
}

}  // namespace dovetail::bench::scenes
