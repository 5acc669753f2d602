// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/orientation.h"

#include <algorithm>
#include <cmath>

namespace dovetail::pose {

Quaternion<double> product(const Quaternion<double>& a, const Quaternion<double>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

double angle_of_closeness(double closeness) {
  // 2 acos √c, without the digits that acos loses near 1.
  return 2 * std::atan2(std::sqrt(std::max(0.0, 1 - closeness)), std::sqrt(std::max(0.0, closeness)));
}

std::array<float, 4> in_float(const Quaternion<double>& q) {
  return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]), static_cast<float>(q[3])};
}

OrientationSpace::OrientationSpace(const Symmetry& symmetry) {
  for (const Transform& rotation : symmetry.rotations) {
    alike_.push_back(quaternion_from_matrix(rotation.as<Rigid3>().rotation));
  }
  sphere_ = symmetry.kind == SymmetryKind::sphere;
  free_ = symmetry.kind == SymmetryKind::revolution || symmetry.kind == SymmetryKind::revolution_with_flips;
  if (free_) {
    const Vec3& axis = symmetry.axes.front().direction;
    axis_ = {0, axis[0], axis[1], axis[2]};
  }
}

OrientationSpace::Images OrientationSpace::images_of(const Quaternion<double>& orientation) const {
  Images images;
  if (sphere_) {  // four that are at right angles: every orientation is as close as can be
    images.group = 4;
    for (int k = 0; k < 4; ++k) {
      std::array<float, 4> unit{};
      unit[static_cast<std::size_t>(k)] = 1;
      images.image.push_back(unit);
    }
    return images;
  }
  images.group = free_ ? 2 : 1;
  for (const Quaternion<double>& alike : alike_) {
    const Quaternion<double> turned = product(orientation, alike);
    images.image.push_back(in_float(turned));
    if (free_) images.image.push_back(in_float(product(turned, axis_)));
  }
  return images;
}

Quaternion<double> OrientationSpace::nearest_alike(const Quaternion<double>& x, const Quaternion<double>& to) const {
  if (sphere_) return to;
  Quaternion<double> best = x;
  double most = -1;
  for (const Quaternion<double>& alike : alike_) {
    Quaternion<double> turned = product(x, alike);
    if (free_) {
      // Turned by h about the axis the dot product is c cos h + s sin h.
      const Quaternion<double> across = product(turned, axis_);
      const double c = dot(turned, to), s = dot(across, to), size = std::hypot(c, s);
      if (size > 0) turned = (c / size) * turned + (s / size) * across;
    }
    const double closeness = dot(turned, to);
    if (std::fabs(closeness) > most) most = std::fabs(closeness), best = closeness < 0 ? -turned : turned;
  }
  return best;
}

double OrientationSpace::angle(const Quaternion<double>& a, const Quaternion<double>& b) const {
  const double c = dot(nearest_alike(a, b), b);
  return 2 * std::acos(std::clamp(c, -1.0, 1.0));
}

}  // namespace dovetail::pose
