// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "search/icp_search.h"

namespace dovetail {

/// Points and unit normals (zero where unknown), in the target's frame.
struct Oriented {
  std::vector<Vec3> points, normals;
};

/// Rotations by which other poses of an answer may be turned from it: those that map faces onto faces, those of two-,
/// three-, four- and sixfold symmetry about the axes of either cloud, and some spread over all there are. A slice turns
/// in its plane alone. The first is none.
std::vector<Mat3> rival_turns(const IcpContext& context, const Similarity3& answer, const Oriented& source,
                              const Oriented& target);

/// The axes along which points spread, the thinnest first.
Mat3 axes_of(std::span<const Vec3> points);

}  // namespace dovetail
