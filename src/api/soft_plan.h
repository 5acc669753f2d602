// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "api/build_problem.h"
#include "dovetail/em_icp.h"
#include "dovetail/softassign.h"
#include "methods/soft.h"

namespace dovetail {

/// The options of EM-ICP or Softassign turned into numbers for the data at hand. Docs: docs/methods/em_icp.md, "The
/// schedule". Level 0 is a part of the points, for the search over starts; the last level is the finest.
struct SoftPlan {
  std::vector<double> voxels;  ///< local, coarse to fine; 0: full resolution
  soft::Params search;         ///< every start, at level 0
  soft::Params contest;        ///< the best of them, at level 0, to a narrower σ
  soft::Params refine;         ///< an answer of the contest, at the finest level
  soft::Params whole;          ///< one start, at the finest level, the whole schedule
  int starts = 1;
  int normal_neighbours = 20;
  Freedom free{};
  Refinement refinement = Refinement::none;

  std::uint32_t finest() const { return static_cast<std::uint32_t>(voxels.size() - 1); }
};

SoftPlan make_soft_plan(const EmIcp& options, const Prepared& prepared);
SoftPlan make_soft_plan(const Softassign& options, const Prepared& prepared);

/// Starting poses about a given one: itself, then `count` − 1 with the source's centroid on the target's, turned by
/// rotations spread evenly over all there are; about the axes that are `free` where not all are.
std::vector<Similarity3> rotated_starts(const Similarity3& start, const Prepared& prepared, unsigned free, int count);

/// Passes over the data that a plan can take at most.
int most_passes(const soft::Params& params);

}  // namespace dovetail
