// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "search/icp_search.h"

namespace dovetail {

/// Where other poses of an answer may lie: turned as rival_turns says, about the source's middle and with the shift on
/// which most pairs of points with like normals agree, or not turned but shifted by as much; by up to so many radii.
std::vector<Similarity3> poses_of_rivals(const IcpContext& context, const Similarity3& answer);

}  // namespace dovetail
