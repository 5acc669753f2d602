// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <vector>

#include "pose/part_shape.h"

namespace dovetail::pose {

/// A part of the database, ready to be laid on a scene.
struct WantedPart {
  const PoseReferences* part = nullptr;
  std::size_t index = 0;
  std::shared_ptr<const PartShape> shape;
  double diameter = 0;   ///< of the ball about it
  double tolerance = 0;  ///< what may be noise, mm
};

/// Every part of a database. `noise`: standard deviation of a depth, mm.
std::vector<WantedPart> wanted_parts(const PoseDatabase& database, double noise);

/// Whether no point of a part is farther apart at two poses than `limit`, up to its symmetries; mm.
bool as_near_as(double limit, const WantedPart& part, const Rigid3& a, const Rigid3& b);

}  // namespace dovetail::pose
