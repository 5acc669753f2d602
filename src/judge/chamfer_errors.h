// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "dovetail/registration.h"
#include "judge/chamfer_answer.h"

namespace dovetail {

/// Points that an answer is judged by.
template <int D>
struct JudgedPoints {
  std::span<const Vector<double, D>> sample;  ///< those with weight, local
  double worth;                               ///< how many independent points of weight 1 all of them are worth
};

/// Covariance, expected error over the points, and weak directions of a polished answer.
template <int D>
void tell_chamfer_errors(const ChamferContext<D>& context, const ChamferFrames<D>& frames, double cap,
                         const ChamferAnswer<D>& answer, const JudgedPoints<D>& points, Registration& result);

}  // namespace dovetail
