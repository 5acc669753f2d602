// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "search/icp_search.h"

namespace dovetail {

/// Poses turned or shifted away from an answer at which the coarse surfaces fit nearly as well as at it: the other
/// poses of a symmetric part, say. They have been followed through the levels before the finest.
std::vector<IcpCandidate> rivals_of(const IcpContext& context, const Similarity3& answer);

}  // namespace dovetail
