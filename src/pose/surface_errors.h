// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <limits>
#include <span>

#include "dovetail/models.h"

// The largest error over an object's vertices, the smallest over its symmetries. Poses map the object into the camera's
// frame; symmetries are never empty and have the identity among them. An error of `limit` or more is told as infinite,
// which is soon known: most pairs of estimate and truth are far apart.

namespace dovetail::pose {

/// MSSD: the largest distance of corresponding vertices.
double mssd(const Rigid3& estimate, const Rigid3& truth, std::span<const Vec3> vertices,
            std::span<const Rigid3> symmetries, double limit = std::numeric_limits<double>::infinity());

/// MSPD: the largest distance of corresponding vertices in the image, in pixels; pixel = k x / z. Infinite where a
/// vertex has no place in the image.
double mspd(const Rigid3& estimate, const Rigid3& truth, const Mat3& k, std::span<const Vec3> vertices,
            std::span<const Rigid3> symmetries, double limit = std::numeric_limits<double>::infinity());

}  // namespace dovetail::pose
