// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <span>

#include "judge/chamfer_answer.h"

// How clearly an answer beats what it is compared with: other answers and, in chamfer alignment, itself slid along and
// what is reached by chance.

namespace dovetail {

/// How clearly the best score beats the second, 0 to 1.
inline double margin_of(double best, double second) {
  return best > 0 ? std::clamp((best - second) / best, 0.0, 1.0) : 0.0;
}

/// The best score of the answer slid both ways along the motion that the data holds least for how far it moves
/// `points`, by `distance` in the root mean square; 0 where that motion is not known.
template <int D>
double slid_score(const ChamferContext<D>& context, double cap, const ChamferAnswer<D>& answer,
                  std::span<const Vector<double, D>> points, double distance);

/// The score that the starts about `given` themselves have, in the middle of them: what is reached without aligning.
template <int D>
double chance_score(const ChamferContext<D>& context, double cap, const Homogeneous<D>& given);

}  // namespace dovetail
