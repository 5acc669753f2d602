// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "dovetail/models.h"
#include "pose/range_scene.h"

namespace dovetail::pose {

/// How far points may be off, from the first iteration to the last, mm.
struct FineSettings {
  double first = 0, last = 0;
  int iterations = 15;
};

/// Moves points of a part's visible surface onto the measured one: each goes to the plane of the pixel it is seen at.
/// What the planes do not hold stays as it was. Returns the better camera_from_part.
Rigid3 refine(const RangeScene& scene, std::span<const Vec3> points, const Rigid3& camera_from_part,
              const FineSettings& settings);

/// What the image says of points that ought to be visible.
struct PointVerdict {
  double explained = 0, hidden = 0, impossible = 0, unknown = 0;  ///< shares

  /// From 1 for all of them explained, down.
  double worth() const { return explained - impossible; }
};
PointVerdict judge_points(const RangeScene& scene, std::span<const Vec3> points, const Rigid3& camera_from_part,
                          double tolerance);

}  // namespace dovetail::pose
