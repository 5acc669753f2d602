// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <string_view>

#include "judge/confidence.h"

// The weights of evidence, as fitted. docs/confidence.md has the commands and the data that made them.

namespace dovetail {

/// How a number enters the sum.
enum class Shape {
  plain,     ///< x
  ln_above,  ///< ln(x + at)
  ln_below,  ///< ln(at − x)
  up_to,     ///< min(x, at)
};

struct Weight {
  std::string_view name;
  Shape shape;
  double at;
  double weight;
};

/// Log-odds = constant + Σ weight × shape(number).
struct CalibrationWeights {
  double constant;
  std::span<const Weight> each;
};

inline constexpr Weight surface_weights[] = {
    {"agreement", Shape::ln_below, 1.02, -1.303},
    {"contradiction", Shape::ln_above, 0.003, -1.042},
    {"parallel", Shape::up_to, 0.87, 19.3},
    {"held", Shape::ln_above, 1e-4, 1.037},
};
inline constexpr Weight slice_weights[] = {
    {"agreement", Shape::ln_below, 1.02, -0.886},
    {"common", Shape::ln_above, 0.02, 0.378},
};
inline constexpr Weight plane_weights[] = {
    {"common", Shape::ln_above, 0.02, 2.481},
    {"held", Shape::ln_above, 1e-4, 0.704},
};
inline constexpr Weight field_weights[] = {
    {"score", Shape::plain, 0, 2.587},
    {"over_slid", Shape::ln_above, 0.003, 0.979},
    {"vagueness", Shape::ln_above, 0.003, -0.578},
};
inline constexpr Weight map_weights[] = {
    {"score", Shape::plain, 0, 6.059},
    {"over_slid", Shape::ln_above, 0.003, 1.11},
    {"vagueness", Shape::ln_above, 0.003, -0.243},
};

inline CalibrationWeights weights_of(Calibration calibration) {
  switch (calibration) {
    case Calibration::surfaces:
      return {-18.75, surface_weights};
    case Calibration::slice:
      return {-2.734, slice_weights};
    case Calibration::plane:
      return {3.117, plane_weights};
    case Calibration::field:
      return {-1.207, field_weights};
    case Calibration::map:
      return {-1.336, map_weights};
  }
  return {0, {}};
}

/// From log-odds to confidence: σ(slope × log-odds + offset) where other poses were looked for, σ(log-odds) where none
/// were; and how much the log-odds of the others count.
inline constexpr double searched_slope = 1.14, searched_offset = 1.55, rival_weight = 0.69;

}  // namespace dovetail
