// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "api/chamfer_polish.h"
#include "dovetail/registration.h"

namespace dovetail {

/// Covariance, expected error over `points`, and weak directions of a polished answer.
template <int D>
void judge(const ChamferContext<D>& context, const ChamferFrames<D>& frames, double cap,
           const ChamferPolish<D>& polished, std::span<const Vector<double, D>> points, Registration& result);

}  // namespace dovetail
