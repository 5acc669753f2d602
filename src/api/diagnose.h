// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "api/build_problem.h"
#include "core/normal_equations.h"
#include "dovetail/registration.h"

// What an answer is worth: fields of the result that every method fills in the same way.

namespace dovetail {

/// The rank a cloud has as a set of points: 0 all equal, 1 on a line, 2 in a plane, 3.
int rank_of(const LocalCloud& cloud);

/// Fills in version, build and machine names.
void describe_machine(const Backend& backend, Registration& result);

/// Those, point counts and warnings.
void describe_input(const Prepared& prepared, const Backend& backend, Registration& result);

/// Fills in rmse, inliers, overlap and score of each pose, over the points of a place.
void evaluate_results(const Prepared& prepared, const Run& run, Backend& backend, Place place,
                      std::span<const Similarity3> poses, std::span<Registration> results);

/// Takes those fields over.
void copy_evaluation(const Registration& from, Registration& to);

/// Covariance of the motions in `free` from the normal equations at the answer, about `center` (all local): in radians
/// and file units.
void set_covariance(const NormalEquations<7>& equations, unsigned free, bool with_scale, const Vec3& center,
                    const Prepared& prepared, Registration& result);

/// Directions of motion that point-to-plane equations leave nearly free, and how free the freest one is: its share of
/// the stiffest one's curvature.
double set_weak_directions(const NormalEquations<6>& equations, unsigned free, const Prepared& prepared,
                           Registration& result);

/// How many points determine a transform.
int least_points(Model model);

/// Sets `is_usable` and the message from the rest.
void conclude(const Run& run, Registration& result);

/// The same for an answer beside the first, which was followed less far.
void conclude_alternative(const Run& run, Registration& result);

}  // namespace dovetail
