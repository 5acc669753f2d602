// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/registration.h"
#include "judge/sighting.h"
#include "judge/surface_fit.h"

namespace dovetail {

/// What a sighting says for or against an object being there: docs/find.md has the meaning of each number.
std::vector<Evidence> found_evidence(const Sighting& sighting, double tolerance, bool viewpoint_known);
/// The same, and how exactly the scene's points lie on the object.
std::vector<Evidence> found_evidence(const Sighting& sighting, const SurfaceMisfit& misfit, double noise,
                                     double tolerance, bool viewpoint_known);

/// Which of many poses are worth refining, higher is better: of evidence without a misfit, which is quick.
double sighting_score(const std::vector<Evidence>& evidence);

/// The logarithm of the odds that the object is there, at that pose: of evidence with a misfit.
double found_log_odds(const std::vector<Evidence>& evidence);

}  // namespace dovetail
