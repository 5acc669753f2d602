// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "api/chamfer_polish.h"
#include "api/line_rates.h"

namespace dovetail {

/// Whether an alignment to this reference ends by likelihood. Throws InvalidArgument where it is asked for and cannot.
bool ends_by_likelihood(const Chamfer& options, const FieldData& field);

/// The last stages among lines: how many points each part of the lines has and how far they scatter is estimated from
/// the sample, in turn with the transform. Without a Hessian where the points do not lie about the lines. `points` is
/// how many there are in all, `spread` what the residuals say.
ChamferPolish<2> finish_among_lines(const ChamferContext<2>& context, const Run& run, const ChamferFrames<2>& frames,
                                    const SamplePoints<2>& sample, std::size_t points, double spread,
                                    const ChamferCandidate<2>& from, Registration& result);

}  // namespace dovetail
