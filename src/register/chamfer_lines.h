// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "prepare/observed.h"
#include "register/chamfer_polish.h"

namespace dovetail {

/// Whether an alignment to this reference ends by likelihood. Throws InvalidArgument where it is asked for and cannot.
bool ends_by_likelihood(const Chamfer& options, const FieldData& field);

/// What the last stages among lines begin with, besides a transform.
struct LineFinishInput {
  const SamplePoints<2>& sample;  ///< local, their weights in the unit below
  std::size_t points;             ///< how many there are in all
  double weight_unit;             ///< what weights are multiplied by
  double spread;                  ///< as the residuals have it, local
};

/// The last stages among lines: how many points each part of the lines has and how far they scatter is estimated in
/// turn with the transform, from the sample first and then from all points. Without a Hessian where the points do not
/// lie about the lines.
ChamferAnswer<2> finish_among_lines(const ChamferContext<2>& context, const Run& run, const ChamferFrames<2>& frames,
                                    const LineFinishInput& input, const ChamferCandidate<2>& from,
                                    Registration& result);

}  // namespace dovetail
