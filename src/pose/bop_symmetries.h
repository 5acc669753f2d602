// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/models.h"
#include "io/bop_objects.h"

namespace dovetail::pose {

/// Rotations that stand for a free turn.
inline constexpr int steps_of_a_turn = 315;  // ceil(π / 0.01)

/// The motions that map an object onto itself, as BOP counts them: each discretised continuous rotation after the
/// identity and each discrete symmetry. Several axes give the union of theirs, not the products.
std::vector<Rigid3> bop_symmetries(const io::BopObject& object);

/// The turn about an axis by an angle in radians.
Rigid3 turn_about(const io::BopAxis& axis, double angle);

}  // namespace dovetail::pose
