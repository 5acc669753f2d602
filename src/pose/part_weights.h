// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "core/weighted_evidence.h"

// The weights of evidence for parts in images, as fitted. docs/pose_find.md has the commands and the data that made
// them.

namespace dovetail::pose {

inline constexpr Weight part_evidence_weights[] = {
    {"purity", Shape::ln_below, 1.01, -1.587},     {"edges", Shape::ln_below, 1.05, -0.4742},
    {"continued", Shape::ln_above, 0.05, -0.6774}, {"seamless", Shape::ln_above, 0.02, -0.9199},
    {"sunk", Shape::ln_above, 0.005, -0.7686},     {"inside", Shape::ln_above, 0.01, -0.7281},
};

/// Log-odds = constant + Σ weight × shape(number). Confidence is σ(slope × log-odds + offset) over 1 + Σ exp(rival ×
/// (log-odds of another pose + share × ln(what it explains of the same pixels) − its own) − worse × how much worse it
/// fits).
struct PartWeights {
  double constant;
  std::span<const Weight> each;
  double slope, offset, rival, share, worse;
};
inline constexpr PartWeights part_weights{-18.1, part_evidence_weights, 1.63, -0.949, 0.7, 59.3, 0.733};

}  // namespace dovetail::pose
