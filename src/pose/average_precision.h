// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <vector>

namespace dovetail::pose {

/// An estimate that counts.
struct Judged {
  double score = 0;
  bool right = false;
};

/// The mean, over the recalls 0, 0.01 … 1, of the highest precision at that recall or more; 0 where it is not reached.
/// Estimates of equal score count in the order given. 0 without truths.
double precision_at_101_recalls(std::vector<Judged> estimates, std::size_t truths);

/// The area below precision over recall: the mean, over the truths, of the precision at the estimate that finds each, 0
/// for those never found. Estimates of equal score count in the order given. 0 without truths.
double area_below_precision(std::vector<Judged> estimates, std::size_t truths);

}  // namespace dovetail::pose
