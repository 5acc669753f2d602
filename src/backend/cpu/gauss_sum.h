// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "backend/gauss_sum.h"

namespace dovetail {

/// The sums of the rows given, on the calling thread; 32 rows at a time share their look at the tree, so a row's bits
/// depend on its tile of 32 and on nothing else: hand out rows in multiples of 32. Sums below 2^-100 are held to the
/// tolerance as if they were 2^-100.
void gauss_sums_cpu(const GaussPoints& points, const GaussSettings& settings, const GaussRows& rows,
                    const GaussSums& out);

}  // namespace dovetail
