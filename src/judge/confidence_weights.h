// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "core/weighted_evidence.h"
#include "judge/confidence.h"

// The weights of evidence, as fitted. docs/confidence.md has the commands and the data that made them.

namespace dovetail {

/// Log-odds = constant + Σ weight × shape(number). Confidence is σ(slope × log-odds + offset) where other poses were
/// looked for and σ(log-odds) where none were, over 1 + Σ exp(rival × (log-odds of another answer − its own)); one
/// whose log-odds are about equal counts 1.
struct CalibrationWeights {
  double constant;
  std::span<const Weight> each;
  double slope, offset, rival;
  double equal;  ///< log-odds that differ by less are equal, for all that some points can tell
};

inline constexpr Weight surface_weights[] = {
    {"agreement", Shape::ln_below, 1.02, -0.974},
    {"contradiction", Shape::ln_above, 0.003, -1.181},
    {"parallel", Shape::up_to, 0.87, 26.81},
    {"held", Shape::ln_above, 1e-4, 1.202},
};
inline constexpr Weight slice_weights[] = {
    {"agreement", Shape::ln_below, 1.02, -0.5353},
    {"common", Shape::ln_above, 0.02, 0.7597},
    {"from_start", Shape::up_to, 1, -4.946},
};
inline constexpr Weight plane_weights[] = {
    {"agreement", Shape::ln_below, 1.02, -0.1952},
    {"contradiction", Shape::ln_above, 0.003, -0.6363},
    {"held", Shape::ln_above, 1e-4, 0.5035},
    {"common", Shape::ln_above, 0.02, 2.612},
};
inline constexpr Weight field_weights[] = {
    {"score", Shape::plain, 0, 2.257},
    {"over_slid", Shape::ln_above, 0.003, 0.8569},
    {"vagueness", Shape::ln_above, 0.003, -0.6416},
};
inline constexpr Weight map_weights[] = {
    {"score", Shape::plain, 0, 8.152},
    {"over_slid", Shape::ln_above, 0.003, 0.5105},
    {"vagueness", Shape::ln_above, 0.003, -0.7622},
};

inline CalibrationWeights weights_of(Calibration calibration) {
  switch (calibration) {
    case Calibration::surfaces:
      return {-24.24, surface_weights, 1.076, 1.316, 0.772, 1};
    case Calibration::slice:
      return {0.393, slice_weights, 0.806, 0.561, 4.58, 0.5};
    case Calibration::plane:
      return {-1.359, plane_weights, 1.135, 2.018, 0.458, 0.5};
    case Calibration::field:
      return {-1.207, field_weights, 0.893, 0.451, 0.192, 0.5};
    case Calibration::map:
      return {-4.846, map_weights, 1.03, 0.035, 1.53, 0.5};
  }
  return {0, {}, 1, 0, 1, 0.5};
}

}  // namespace dovetail
