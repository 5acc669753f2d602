// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dovetail/points.h"
#include "dovetail/transform.h"
#include "spatial/kd_tree.h"

namespace dovetail::report {

/// How far moved points are from the nearest of a target's.
class Residuals {
 public:
  /// Of the points `kept` of the target, which need not stay.
  Residuals(const PointCloud& target, std::span<const std::uint32_t> kept);

  /// Of the points `shown` of the source, moved by the pose; not a number where there is no target or no place.
  std::vector<double> operator()(const PointCloud& source, std::span<const std::uint32_t> shown,
                                 const Transform& target_from_source) const;

 private:
  Vec3 center_{};
  double scale_ = 1;  ///< to coordinates of about 1, which floats hold whatever the unit
  KdTree tree_;
};

}  // namespace dovetail::report
