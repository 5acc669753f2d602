// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "core/weighted_evidence.h"

// The weights of evidence for parts in images, as fitted. docs/pose_find.md has the commands and the data that made
// them.

namespace dovetail::pose {

inline constexpr Weight part_evidence_weights[] = {
    {"purity", Shape::ln_below, 1.01, -0.8613},  {"visible", Shape::ln_above, 0.02, 1.104},
    {"edges", Shape::ln_below, 1.05, -1.318},    {"continued", Shape::ln_above, 0.05, -0.9553},
    {"seamless", Shape::ln_above, 0.02, -1.949}, {"sunk", Shape::ln_above, 0.005, -0.3141},
    {"inside", Shape::ln_above, 0.01, -0.6627},
};

/// Log-odds = constant + Σ weight × shape(number). Confidence is σ(slope × log-odds + offset) over 1 + Σ exp(rival ×
/// (log-odds of another pose + share × ln(what it explains of the same pixels) − its own)).
struct PartWeights {
  double constant;
  std::span<const Weight> each;
  double slope, offset, rival, share;
};
inline constexpr PartWeights part_weights{-18.13, part_evidence_weights, 1.95, -2.54, 1.54, 30};

}  // namespace dovetail::pose
