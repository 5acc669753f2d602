// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>

#include "prepare/clouds.h"

namespace dovetail {

/// Poses closer than this are one answer.
inline constexpr double same_answer = 0.1;

/// How different two poses are: the angle in radians or the shift of the centroid in radii, whichever is more.
inline double difference(const Similarity3& a, const Similarity3& b, const Prepared& prepared) {
  const double angle = rotation_angle(a.rotation * transpose(b.rotation));
  const double shift = norm(a * prepared.source->centroid - b * prepared.source->centroid);
  return std::max(angle, shift / prepared.source->radius);
}

}  // namespace dovetail
