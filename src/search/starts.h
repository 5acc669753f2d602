// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "prepare/chamfer_plan.h"
#include "prepare/icp_plan.h"

// Where searches begin: poses about a given one, which comes first.

namespace dovetail {

/// A start of ICP.
struct IcpStart {
  Similarity3 pose;
  double widest_scale = 0;  ///< of the kernel; 0: as the schedule says
  int first_level = 0;
};

/// How many starts an automatic run makes.
inline constexpr int automatic_starts = 14;

/// The starts of one given pose: itself with a narrow kernel, so that a good start stays where it is, itself with the
/// schedule's wide one, and `count` − 2 rotations about the source's centroid in directions spread over the sphere;
/// about the target's axes that are `free` to turn about, where not all are.
std::vector<IcpStart> starts_nearby(const Similarity3& start, const Prepared& prepared, unsigned free, int count);

/// The given pose once more, from the level after the coarsest on and with a kernel that sees only what is close:
/// coarse points cannot tell the two sides of a thin wall apart, and would leave a start that is right.
IcpStart fine_start(const Similarity3& start, const Prepared& prepared, const IcpPlan& plan);

/// `count` rotations spread evenly over all there are about the axes that are `free` to turn about; the first is none.
std::vector<Mat3> spread_rotations(unsigned free, int count);

/// Starting poses about a given one: itself, then `count` rotations spread evenly over all there are, each with the
/// source's centroid on the target's and half a radius to every side of it. Along and about what is `free` only.
std::vector<Similarity3> starts_over_rotations(const Similarity3& start, const Prepared& prepared, unsigned free,
                                               int count);

/// Starts within the range of a plan: spread evenly over it, whatever their number.
template <int D>
std::vector<Homogeneous<D>> starts_within(const ChamferPlan& plan, const Homogeneous<D>& start, const Ball<D>& observed,
                                          bool with_scale);

}  // namespace dovetail
