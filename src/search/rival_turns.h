// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "search/icp_search.h"

namespace dovetail {

/// What tells of turns, in the target's frame: points of either cloud, and known unit normals of both.
struct TurnClues {
  std::span<const Vec3> source, target, normals;
};

/// Rotations by which other poses of an answer may be turned from it: those that map faces onto faces, those of two-,
/// three-, four- and sixfold symmetry about the axes of either cloud, and some spread over all there are. A slice turns
/// in its plane alone. The first is none.
std::vector<Mat3> rival_turns(const IcpContext& context, const Similarity3& answer, const TurnClues& clues);

}  // namespace dovetail
