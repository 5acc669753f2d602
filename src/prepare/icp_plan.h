// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/icp.h"
#include "methods/icp.h"
#include "prepare/levels.h"

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
  LevelNeeds needs;

  int max_iterations() const;
  int last_level() const { return params.levels - 1; }
};

/// The motions that may change, a bit each: three rotations, three shifts, the scale; in the plane those that stay in
/// it.
unsigned free_motions(const Freedom& free, bool estimate_scale, int dimension);

IcpPlan make_icp_plan(const Icp& options, const Prepared& prepared);

/// The scale of a kernel that sees only what is close to a start.
double close_scale(const Prepared& prepared);

}  // namespace dovetail
