// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "dovetail/rotation.h"

// The finite groups of rotations, each in a frame of its own: the main axis is z, and a half turn across it is about x.
// Host only.

namespace dovetail {

Mat3 turn_about(const Vec3& unit_axis, double angle);

/// n turns about z, the identity first.
std::vector<Mat3> cyclic_group(int order);
/// The same and n half turns about axes across z, the first of them x.
std::vector<Mat3> dihedral_group(int order);
/// 12 rotations: half turns about the coordinate axes, thirds about the diagonals of their octants.
std::vector<Mat3> tetrahedral_group();
/// 24 rotations: quarters about the coordinate axes.
std::vector<Mat3> octahedral_group();
/// 60 rotations: fifths about (0, ±1, φ) and its cyclic exchanges, φ the golden ratio.
std::vector<Mat3> icosahedral_group();

/// Everything that products of the given rotations give, the identity first. Throws InvalidArgument where that is more
/// than `most`, which is a group that does not close.
std::vector<Mat3> closure(std::span<const Mat3> generators, std::size_t most);

/// An axis of a group: every turn of 2π / order about it is in the group.
struct GroupAxis {
  Vec3 direction;
  int order;
};
/// All axes, those of the highest order first, in the order their first rotation has in the group.
std::vector<GroupAxis> axes_of(std::span<const Mat3> group);

/// A rotation with its columns: z along `axis`, x as near to `across` as may be; `across` may be zero or parallel.
Mat3 frame_along(const Vec3& axis, const Vec3& across = {});

}  // namespace dovetail
