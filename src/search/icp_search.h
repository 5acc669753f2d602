// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "search/icp_levels.h"

namespace dovetail {

/// What a search works with.
struct IcpContext {
  const Prepared& prepared;
  const IcpPlan& plan;
  std::span<const SurfacePair> levels;  ///< of the plan
  Backend& backend;
  const Control& control;
};

/// One start, and what it has reached so far.
struct IcpCandidate {
  IcpStart start;
  Similarity3 given;     ///< the pose it is about
  Similarity3 pose;      ///< reached so far
  double score = 0;      ///< of `pose`, at the level it was reached
  bool own = false;      ///< the first given start's own: it is followed to the end with a lower score than others
  bool arrived = false;  ///< it has been through all levels

  /// The state that sets out from the start.
  icp::State state(const IcpContext& context) const;
};

struct IcpSearch {
  std::vector<IcpCandidate> ranked;  ///< different answers, the winner first
  StopRequest stopped = StopRequest::none;
};

/// Tries `count` starts about each given one at the coarse levels and ranks what they reach. When it is stopped the
/// given poses themselves take part, so that the winner is never worse than they are.
IcpSearch search_starts(const IcpContext& context, const std::vector<Similarity3>& given, int count);

}  // namespace dovetail
