// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "dovetail/models.h"
#include "dovetail/symmetry.h"

namespace dovetail {

/// How far apart two poses of a part are: the root mean square distance between corresponding points of its surface,
/// the smallest over all symmetries (Brégier, Devernay, Leyrit, Crowley: "Defining the pose of any 3D rigid object and
/// an associated distance", 2018). A metric on what poses can be told apart; the equations are those of
/// docs/symmetry.md. Poses map the part's frame into a common one. Host only.
class PoseDistance {
 public:
  explicit PoseDistance(const Symmetry& symmetry)
      : kind_(symmetry.kind), center_(symmetry.center), covariance_(symmetry.covariance) {
    for (const Transform& t : symmetry.rotations) rotations_.push_back(t.as<Rigid3>().rotation);
    if (!symmetry.axes.empty()) axis_ = symmetry.axes.front().direction;
    // (4): the surface averaged over its symmetries, without which turning both poses could change their distance.
    Mat3 mean{};
    for (const Mat3& g : rotations_) mean += g * covariance_ * transpose(g);
    covariance_ = (1.0 / static_cast<double>(rotations_.size())) * mean;
    const double along = dot(axis_, covariance_ * axis_);
    const double trace = covariance_(0, 0) + covariance_(1, 1) + covariance_(2, 2);
    axis_square_ = along + 0.5 * (trace - along);
  }

  /// In file units.
  double operator()(const Rigid3& a, const Rigid3& b) const {
    return std::sqrt(squared_norm(a * center_ - b * center_) + turn_square(a.rotation, b.rotation));
  }

  /// The largest distance between corresponding ones of these points of the part, the smallest over all symmetries:
  /// MSSD of the BOP benchmark, whose 315 steps stand for a free turn. Of a sphere the distance of the centres.
  double largest(const Rigid3& a, const Rigid3& b, std::span<const Vec3> points) const {
    if (kind_ == SymmetryKind::sphere) return norm(a * center_ - b * center_);
    const int steps = turns_freely() ? 315 : 1;
    double least = std::numeric_limits<double>::infinity();
    for (const Mat3& rotation : rotations_) {
      for (int i = 0; i < steps; ++i) {
        const Mat3 turn = exp_so3((2 * std::numbers::pi * i / steps) * axis_) * rotation;
        const Rigid3 onto_itself{turn, center_ - turn * center_}, b_turned = b * onto_itself;
        double most = 0;
        for (const Vec3& p : points) most = std::max(most, squared_norm(a * p - b_turned * p));
        least = std::min(least, most);
      }
    }
    return std::sqrt(least);
  }

 private:
  bool turns_freely() const { return kind_ >= SymmetryKind::revolution; }

  /// What the rotations add to the squared distance.
  double turn_square(const Mat3& a, const Mat3& b) const {
    if (kind_ == SymmetryKind::sphere) return 0;
    if (turns_freely()) {  // (6), (7)
      const Vec3 along_a = a * axis_, along_b = b * axis_;
      const double same = squared_norm(along_a - along_b), reversed = squared_norm(along_a + along_b);
      return axis_square_ * (kind_ == SymmetryKind::revolution ? same : std::min(same, reversed));
    }
    double least = std::numeric_limits<double>::infinity();
    for (const Mat3& g : rotations_) {  // (5)
      const Mat3 difference = a - b * g, spread = difference * covariance_;
      double sum = 0;
      for (int i = 0; i < 9; ++i) sum += difference[i] * spread[i];
      least = std::min(least, sum);
    }
    return least;
  }

  SymmetryKind kind_;
  Vec3 center_, axis_{};
  Mat3 covariance_;
  double axis_square_ = 0;
  std::vector<Mat3> rotations_;
};

}  // namespace dovetail
