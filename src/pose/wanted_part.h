// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pose/part_shape.h"
#include "pose/range_scene.h"

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

/// Why a part cannot be told in an image whatever is there: it is a few pixels across, or hardly wider than one, at the
/// nearest depths; it is a flat piece without an end; or noise is a good part of its size. Nothing where it may be
/// told.
std::optional<std::string> why_not_to_be_told(const RangeScene& scene, const WantedPart& wanted, double noise);

/// Whether no point of a part is farther apart at two poses than `limit`, up to its symmetries; mm.
bool as_near_as(double limit, const WantedPart& part, const Rigid3& a, const Rigid3& b);

}  // namespace dovetail::pose
