// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "bins/body.h"

namespace dovetail::bins {

/// How deep the surface of one body is inside the other, in the simulation's unit; measured on the true surfaces, both
/// ways. 0 where they do not cross.
double penetration(const Body& a, const Rigid3& scene_from_a, const Body& b, const Rigid3& scene_from_b);

/// How deep a body is inside the floor or a wall.
double penetration(const Body& body, const Rigid3& scene_from_body, const BinSize& bin);

}  // namespace dovetail::bins
