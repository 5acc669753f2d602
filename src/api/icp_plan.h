// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "api/build_problem.h"
#include "dovetail/icp.h"
#include "methods/icp.h"

namespace dovetail {

/// Consecutive levels that run with one metric.
struct IcpSegment {
  Metric metric;
  int first, end;  ///< levels [first, end)
};

/// ICP's options turned into numbers for the data at hand. Docs: docs/methods/icp.md, "The schedule".
struct IcpPlan {
  std::vector<double> voxels;  ///< local, coarse to fine; 0: full resolution
  icp::Params params;
  std::vector<IcpSegment> segments;
  NormalsNeeded normals;

  int max_iterations() const;
  int last_level() const { return params.levels - 1; }
};

/// The motions that may change, a bit each: three rotations, three shifts, the scale; in the plane those that stay in
/// it.
unsigned free_motions(const Freedom& free, bool estimate_scale, int dimension);

IcpPlan make_icp_plan(const Icp& options, const Prepared& prepared);

/// The rotations around which starts are spread, the given start first.
struct IcpStart {
  Similarity3 pose;
  double widest_scale = 0;  ///< 0: as the schedule says
  int first_level = 0;
};

/// The starts of one given pose: itself with a narrow kernel, so that a good start stays where it is, itself with the
/// schedule's wide one, and `count` − 2 rotations about the source's centroid in directions spread over the sphere;
/// about the target's axes that are `free` to turn about, where not all are.
std::vector<IcpStart> spread_starts(const Similarity3& start, const Prepared& prepared, unsigned free, int count);

/// The given pose once more, from the level after the coarsest on and with a kernel that sees only what is close:
/// coarse points cannot tell the two sides of a thin wall apart, and would leave a start that is right.
IcpStart fine_start(const Similarity3& start, const Prepared& prepared, const IcpPlan& plan);

/// How many starts an automatic run makes.
inline constexpr int automatic_starts = 14;

}  // namespace dovetail
