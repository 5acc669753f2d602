// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/em_icp.h"
#include "dovetail/softassign.h"
#include "methods/soft.h"
#include "prepare/levels.h"

namespace dovetail {

/// One stretch of the way from many starts to one answer: all that came so far run a schedule on one level, and the
/// best go on.
struct SoftStage {
  soft::Params params;
  std::size_t keep = 1;                  ///< how many go on
  double same_turn = 0, same_shift = 0;  ///< those closer than this (radians, radii) go on as one

  std::uint32_t level() const { return static_cast<std::uint32_t>(params.levels - 1); }
};

/// The options of EM-ICP or Softassign turned into numbers for the data at hand. Docs: docs/methods/em_icp.md, "The
/// schedule".
struct SoftPlan {
  std::vector<SoftStage> search;  ///< of more than one start
  soft::Params finish;            ///< the finest level: what the search found, or the whole way of one start
  int starts = 1;                 ///< rotations tried about each given start
  int normal_neighbours = 20;
  Freedom free{};
  Refinement refinement = Refinement::none;

  std::uint32_t finest() const { return static_cast<std::uint32_t>(finish.levels - 1); }
};

/// Voxels of the levels, local, coarse to fine: parts of the points for the search, then the finest level.
template <class Options>
std::vector<double> soft_voxels(const Options& options, const Prepared& prepared);

/// `levels` are those of soft_voxels().
SoftPlan make_soft_plan(const EmIcp& options, const Prepared& prepared, std::span<const Level> levels);
SoftPlan make_soft_plan(const Softassign& options, const Prepared& prepared, std::span<const Level> levels);

/// Passes over the data that a plan can take at most.
int most_passes(const soft::Params& params);

}  // namespace dovetail
