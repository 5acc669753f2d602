// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "dovetail/registration.h"
#include "prepare/chamfer_plan.h"
#include "prepare/observed.h"

// What looks wrong before an alignment, and after it.

namespace dovetail {

/// Why no transform of the model can be found; empty where one can. Points are local.
template <int D>
std::string why_hopeless(const Chamfer& options, const SamplePoints<D>& sample, const Ball<D>& observed,
                         const FieldData& field);

/// Warns of observed points that seem to be in another unit than the reference.
template <int D>
void warn_of_units(const ChamferFrames<D>& frames, const SamplePoints<D>& sample, const Ball<D>& observed,
                   const FieldData& field, Registration& result);

/// Warns of an answer that may be in a wrong place, or is not held well. `cell` is in file units, `fitting` the share
/// of the points within the last cap.
void warn_of_doubt(const Chamfer& options, double cell, double fitting, Registration& result);

}  // namespace dovetail
