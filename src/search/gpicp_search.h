// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "prepare/gpicp_plan.h"

namespace dovetail {

/// What a search by GPICP works with.
struct GpicpContext {
  const Prepared& prepared;
  const GpicpPlan& plan;
  const Level& level;  ///< that sets are drawn from
  const GpicpTarget& target;
  const LocalCloud& source;  ///< of the level, on the host, with normals that point one way where that is known
  bool drops = true;         ///< hopeless starts early
  /// By what starts are compared with each other, higher is better; null: as placements are.
  std::function<std::vector<double>(std::span<const Similarity3>)> rate;
  Backend& backend;
  const Control& control;
};

struct GpicpCandidate {
  Similarity3 pose;
  double score = 0;
  double error = 0;  ///< mean distance, local
  std::uint32_t start = 0;
};

struct GpicpSearch {
  std::vector<GpicpCandidate> ranked;  ///< different answers, the best first
  std::size_t placements = 0;          ///< that were tried
  StopRequest stopped = StopRequest::none;
};

/// The best different ones of all placements of source points on target points.
GpicpSearch search_placements(const GpicpContext& context, std::size_t most);

/// The best different ones of the poses that bring directions of the source onto directions of the target
/// (direction_starts.h); none where nothing is flat. Their numbers go on from `first`.
GpicpSearch search_directions(const GpicpContext& context, std::size_t most, std::size_t first);

/// Refines starts by GPICP, and ranks where they end.
GpicpSearch refine_starts(const GpicpContext& context, const std::vector<GpicpCandidate>& starts, Metric metric,
                          const std::vector<float>& bends, std::size_t most);

}  // namespace dovetail
