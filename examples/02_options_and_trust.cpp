// SPDX-License-Identifier: MIT
// Part of Dovetail.

// What a result says about itself: how sure it is of each direction, and which it cannot know.

#include <dovetail/dovetail.h>

#include <cmath>
#include <iostream>

namespace {

// A pipe along z with noise-free points: it can spin and slide without anyone noticing.
dovetail::PointCloud pipe() {
  dovetail::PointCloud cloud;
  for (int ring = 0; ring < 80; ++ring) {
    for (int i = 0; i < 100; ++i) {
      const double angle = 0.0628318 * i + 0.01 * ring;
      cloud.positions.push_back({0.1 * std::cos(angle), 0.1 * std::sin(angle), 0.005 * ring});
    }
  }
  return cloud;
}

}  // namespace

int main() {
  const dovetail::PointCloud target = pipe();
  const dovetail::Transform moved = dovetail::Rigid3::exp({0.02, 0.01, 0, 0.003, 0, 0});
  dovetail::Icp options;
  options.metric = dovetail::Metric::plane_to_plane;
  options.starts = 1;  // the start is good: do not look around
  const auto result = dovetail::register_points(moved.inverse() * target, target, options);
  std::cout << result.message << '\n';
  for (const dovetail::WeakDirection& weak : result.weak_directions) {
    std::cout << "  weak: turn about (" << weak.rotation[0] << ", " << weak.rotation[1] << ", " << weak.rotation[2]
              << "), shift along (" << weak.translation[0] << ", " << weak.translation[1] << ", " << weak.translation[2]
              << ")\n";
  }
  // A spin about the pipe and a slide along it: so nobody can say that this is the right pose.
  std::cout << "confidence " << result.confidence.value_or(0) << '\n';
  for (const dovetail::Evidence& e : result.evidence) std::cout << "  " << e.name << ' ' << e.value << '\n';
  return !result.usable() && result.weak_directions.size() == 2 ? 0 : 1;
}
