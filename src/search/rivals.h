// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "search/icp_search.h"

namespace dovetail {

/// Poses turned or shifted away from an answer at which the coarse surfaces fit nearly as well as at it: the other
/// poses of a symmetric part, say. They have been followed through the levels before the finest.
std::vector<IcpCandidate> rivals_of(const IcpContext& context, const Similarity3& answer);

/// The same beside an answer of another method, at the coarsest and the finest of its own levels (which have normals)
/// and at full resolution.
std::vector<Similarity3> rivals_beside(const Similarity3& answer, Icp options, const Prepared& prepared,
                                       std::span<const Level> coarser, const Level& full, Backend& backend,
                                       const Control& control);

}  // namespace dovetail
