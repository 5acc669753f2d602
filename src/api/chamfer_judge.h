// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "api/chamfer_search.h"
#include "dovetail/registration.h"

namespace dovetail {

/// An answer over all points, and how its cost curves there.
template <int D>
struct ChamferPolish {
  ChamferCandidate<D> end;
  StopRequest stopped = StopRequest::none;
  std::vector<double> hessian;  ///< the model's, packed, in the step frame; empty where the polish did not come so far
};

/// Takes a candidate through the last stage, over all points, leaving rows in the result and showing them to the run's
/// observer.
template <int D>
ChamferPolish<D> polish(const ChamferContext<D>& context, const Run& run, const ChamferFrames<D>& frames, double cap,
                        const ChamferCandidate<D>& from, Registration& result);

/// Covariance and weak directions of a polished answer.
template <int D>
void judge(const ChamferContext<D>& context, const ChamferFrames<D>& frames, double cap,
           const ChamferPolish<D>& polished, Registration& result);

}  // namespace dovetail
