// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <span>
#include <vector>

#include "dovetail/rotation.h"
#include "dovetail/symmetry.h"

namespace dovetail::pose {

/// a b: the rotation of b, then that of a.
Quaternion<double> product(const Quaternion<double>& a, const Quaternion<double>& b);

/// Orientations of a part, camera_from_part, compared as its symmetries allow: those that look the same are one.
class OrientationSpace {
 public:
  OrientationSpace() : OrientationSpace(Symmetry{}) {}
  explicit OrientationSpace(const Symmetry& symmetry);

  /// The quaternions that an orientation's closeness to others is told from: the closeness to `x` is the largest sum of
  /// the squared dot products of x with the images of a group.
  struct Images {
    std::vector<std::array<float, 4>> image;  ///< group by group
    int group = 1;                            ///< images in a group: 1, or 2 where the part turns freely
  };
  Images images_of(const Quaternion<double>& orientation) const;

  /// cos² of half of the smallest angle between two orientations.
  static float closeness(const Images& images, const std::array<float, 4>& x) {
    float best = 0;
    for (std::size_t i = 0; i < images.image.size(); i += static_cast<std::size_t>(images.group)) {
      float sum = 0;
      for (std::size_t k = i; k < i + static_cast<std::size_t>(images.group); ++k) {
        const std::array<float, 4>& q = images.image[k];
        const float d = q[0] * x[0] + q[1] * x[1] + q[2] * x[2] + q[3] * x[3];
        sum += d * d;
      }
      best = sum > best ? sum : best;
    }
    return best;
  }

  /// The smallest angle between two orientations, in radians.
  double angle(const Quaternion<double>& a, const Quaternion<double>& b) const;

  /// The orientation that looks like `x` and is nearest to `to`, with the sign that makes their dot product positive.
  Quaternion<double> nearest_alike(const Quaternion<double>& x, const Quaternion<double>& to) const;

  /// Rotations that map the part onto itself, those of a free turn left out.
  std::size_t order() const { return alike_.size(); }
  bool turns_freely() const { return free_; }
  bool sphere() const { return sphere_; }

 private:
  std::vector<Quaternion<double>> alike_;  // part_from_part
  Quaternion<double> axis_{};              // (0, a): the part turns freely about a
  bool free_ = false, sphere_ = false;
};

/// The angle that belongs to a closeness.
double angle_of_closeness(double closeness);

std::array<float, 4> in_float(const Quaternion<double>& q);

}  // namespace dovetail::pose
