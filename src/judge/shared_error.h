// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/matrix.h"

namespace dovetail {

/// Where some of an alignment's points are, and by how much each misses the surface or line it belongs to.
struct SharedErrors {
  std::vector<Vec3> place, miss;
};

/// Points of a scan err together: neighbours miss by the same amount, so that many of them say no more than a few. By
/// how much the variance of an answer is larger than if each erred on its own; 1 where they do, as far as can be told.
/// Each of the given points stands for `each` that the answer comes from.
double shared_error(const SharedErrors& some, double each);

}  // namespace dovetail
