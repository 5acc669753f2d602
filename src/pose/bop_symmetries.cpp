// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/bop_symmetries.h"

#include <numbers>

namespace dovetail::pose {

Rigid3 turn_about(const io::BopAxis& axis, double angle) {
  const Mat3 turn = exp_so3(angle * axis.direction);
  return {turn, axis.through - turn * axis.through};
}

std::vector<Rigid3> bop_symmetries(const io::BopObject& object) {
  std::vector<Rigid3> discrete{Rigid3::identity()};
  discrete.insert(discrete.end(), object.discrete.begin(), object.discrete.end());
  if (object.continuous.empty()) return discrete;
  std::vector<Rigid3> all;
  for (const Rigid3& first : discrete) {
    for (const io::BopAxis& axis : object.continuous) {
      for (int step = 0; step < steps_of_a_turn; ++step) {
        all.push_back(turn_about(axis, step * (2 * std::numbers::pi / steps_of_a_turn)) * first);
      }
    }
  }
  return all;
}

}  // namespace dovetail::pose
