// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "api/chamfer_polish.h"
#include "dovetail/registration.h"

namespace dovetail {

/// Covariance and weak directions of a polished answer.
template <int D>
void judge(const ChamferContext<D>& context, const ChamferFrames<D>& frames, double cap,
           const ChamferPolish<D>& polished, Registration& result);

/// The answer moved both ways along the motion that the data holds least for how far it moves the points, by `distance`
/// in the root mean square over `points`; none where that is not known.
template <int D>
std::vector<ChamferCandidate<D>> slid_answers(const ChamferContext<D>& context, const ChamferPolish<D>& polished,
                                              std::span<const Vector<double, D>> points, double distance);

}  // namespace dovetail
