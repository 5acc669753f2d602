// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/view_samples.h"

#include <cmath>
#include <numbers>

#include "core/random.h"

namespace dovetail::pose {

std::vector<Quaternion<double>> seen_from_above(std::span<const Mat3> resting, std::size_t count, double cone,
                                                std::uint64_t seed) {
  constexpr double turn = 2 * std::numbers::pi;
  const Mat3 down = {1, 0, 0, 0, -1, 0, 0, 0, -1};  // camera_from_scene: z along the view, y down in the image
  std::vector<Quaternion<double>> seen;
  seen.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(seed, i);
    // Evenly over the cone's cap: the cosine is uniform.
    const double tilt = std::acos(random.uniform(std::cos(cone), 1)), towards = turn * random.uniform();
    const Mat3 tilted = exp_so3(tilt * Vec3{std::cos(towards), std::sin(towards), 0});
    const Mat3 rolled = exp_so3(Vec3{0, 0, turn * random.uniform()});
    seen.push_back(quaternion_from_matrix(rolled * tilted * down * resting[i % resting.size()]));
  }
  return seen;
}

std::vector<Quaternion<double>> any_orientation(std::size_t count, std::uint64_t seed) {
  std::vector<Quaternion<double>> orientations;
  orientations.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    orientations.push_back(quaternion_from_matrix(RandomStream(seed, i).rotation()));
  }
  return orientations;
}

}  // namespace dovetail::pose
