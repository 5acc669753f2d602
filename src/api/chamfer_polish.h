// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "api/chamfer_search.h"
#include "dovetail/registration.h"

namespace dovetail {

/// An answer, and how its cost curves there.
template <int D>
struct ChamferPolish {
  ChamferCandidate<D> end;
  StopRequest stopped = StopRequest::none;
  std::vector<double> hessian;  ///< the model's, packed, in the step frame; empty where the polish did not come so far
  bool by_likelihood = false;   ///< the Hessian is that of a logarithm of probability
};

/// Takes a candidate through a stage, leaving rows in the result and showing them to the run's observer.
template <int D>
ChamferPolish<D> polish(const ChamferContext<D>& context, const Run& run, const ChamferFrames<D>& frames,
                        const chamfer::Stage& stage, const ChamferCandidate<D>& from, Registration& result);

/// The same among the lines that the machine holds.
ChamferPolish<2> polish_among_lines(const ChamferContext<2>& context, const Run& run, const ChamferFrames<2>& frames,
                                    const chamfer::Stage& stage, const ChamferCandidate<2>& from, Registration& result);

}  // namespace dovetail
