// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/registration.h"
#include "judge/chamfer_answer.h"

namespace dovetail {

/// Takes a candidate through a stage, leaving rows in the result and showing them to the run's observer.
template <int D>
ChamferAnswer<D> polish(const ChamferContext<D>& context, const Run& run, const ChamferFrames<D>& frames,
                        const chamfer::Stage& stage, const ChamferCandidate<D>& from, Registration& result);

/// The same among lines.
ChamferAnswer<2> polish_among_lines(const ChamferContext<2>& context, const Run& run, const ChamferFrames<2>& frames,
                                    const chamfer::LineData& lines, const chamfer::Stage& stage,
                                    const ChamferCandidate<2>& from, Registration& result);

}  // namespace dovetail
