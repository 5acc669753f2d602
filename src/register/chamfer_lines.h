// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "prepare/observed.h"
#include "register/chamfer_polish.h"

namespace dovetail {

/// Whether an alignment to this reference ends by likelihood. Throws InvalidArgument where it is asked for and cannot.
bool ends_by_likelihood(const Chamfer& options, const FieldData& field);

/// What the last stages among lines begin with, besides an answer.
struct LineFinishInput {
  const SamplePoints<2>& sample;  ///< local
  std::size_t points;             ///< how many there are in all
  double weight_unit;             ///< what weights are multiplied by: as if each were a number of points
  double cap;                     ///< that the answer so far ended with
};

/// The last stages among lines: how many points each stretch of the lines has and how far they scatter is estimated in
/// turn with the transform, from the sample first and then from all points. The answer by distance, with a warning,
/// where the points do not lie about the lines, come to fit them worse, or there is no time.
ChamferAnswer<2> finish_among_lines(const ChamferContext<2>& context, const Run& run, const ChamferFrames<2>& frames,
                                    const LineFinishInput& input, const ChamferAnswer<2>& by_distance,
                                    Registration& result);

}  // namespace dovetail
