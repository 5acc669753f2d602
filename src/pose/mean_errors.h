// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <array>
#include <limits>
#include <span>

#include "dovetail/models.h"
#include "io/bop_objects.h"

// Means over an object's vertices. Poses map the object into the camera's frame.

namespace dovetail::pose {

/// ADD: the mean distance of corresponding vertices.
double add_error(const Rigid3& estimate, const Rigid3& truth, std::span<const Vec3> vertices);

/// ADI, also called ADD-S: the mean distance from each vertex at the truth to the nearest vertex at the estimate.
double adi_error(const Rigid3& estimate, const Rigid3& truth, std::span<const Vec3> vertices);

/// Errors as the paper on range images tells them, up to symmetry.
struct VertexError {
  double distance = 0;             ///< mean distance of corresponding vertices
  std::array<double, 3> angles{};  ///< radians: the estimate is Rz Ry Rx times the truth, about the camera's axes
  double angle = 0;                ///< radians, of the whole rotation
};

/// The smallest over the symmetries. About the axes the angle is exact: of an object that turns freely about one axis,
/// no turn about it is an error, however fine the steps of `symmetries` are.
/// A distance that is no less than `limit` at any of the steps is told as infinite.
VertexError vertex_error(const Rigid3& estimate, const Rigid3& truth, std::span<const Vec3> vertices,
                         std::span<const Rigid3> symmetries, std::span<const io::BopAxis> axes,
                         double limit = std::numeric_limits<double>::infinity());

}  // namespace dovetail::pose
