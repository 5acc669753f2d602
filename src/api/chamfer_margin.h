// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "api/chamfer_polish.h"

// What an answer's score is compared with, besides those of other answers.

namespace dovetail {

/// The best score of the answer slid both ways along the motion that the data holds least for how far it moves
/// `points`, by `distance` in the root mean square; 0 where that motion is not known.
template <int D>
double slid_score(const ChamferContext<D>& context, double cap, const ChamferPolish<D>& answer,
                  std::span<const Vector<double, D>> points, double distance);

/// The score that the starts about `given` themselves have, in the middle of them: what is reached without aligning.
template <int D>
double chance_score(const ChamferContext<D>& context, double cap, const Homogeneous<D>& given);

}  // namespace dovetail
