// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "dovetail/registration.h"

// How likely an answer is right, from its evidence: docs/confidence.md. Weights were fitted to a corpus of right and
// wrong answers; confidence_weights.h says how.

namespace dovetail {

/// An answer is right when it is off by no more than this: radians, and radii of the source.
inline constexpr double right_angle = 5 * 3.14159265358979323846 / 180, right_shift = 0.1;

/// What kind of data an answer is judged on: each has weights of its own.
enum class Calibration {
  surfaces,  ///< two clouds in space
  slice,     ///< of which one is flat: a slice through the surface that the other one shows
  plane,     ///< two clouds in the plane
  field,     ///< observed points and the distance field of a reference in space (chamfer alignment)
  map,       ///< the same in the plane
};

/// Sets the log-odds of being right that an answer's own evidence has. Where there is none they stay as low as can be.
void tell_log_odds(Calibration calibration, Quality& quality);

/// Counts how far an answer is from a start that is known, in so many motions: the squared distance in standard
/// deviations. As the logarithm of a normal density has it, less what a right answer has on average; an answer nearer
/// than that gains nothing, for wrong ones stay near the start too.
void count_known_start(double squared_sigmas, int motions, Quality& quality);

/// The evidence's name for that distance, not squared.
inline constexpr const char* start_sigmas = "start_sigmas";

/// Sets the confidence of answers to the same question, of which one is right at most: the first is the one chosen, and
/// no other comes out higher. `searched`: others were looked for.
void tell_confidence(Calibration calibration, std::span<Quality> answers, bool searched);

}  // namespace dovetail
