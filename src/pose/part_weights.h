// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>

#include "core/weighted_evidence.h"

// The weights of evidence for parts in images, as fitted. docs/pose_find.md has the commands and the data that made
// them.

namespace dovetail::pose {

inline constexpr Weight part_evidence_weights[] = {
    {"purity", Shape::ln_below, 1.01, -0.06817},  {"visible", Shape::ln_above, 0.02, 2.2},
    {"closeness", Shape::plain, 0, 3.537},        {"edges", Shape::ln_below, 1.05, -2.202},
    {"continued", Shape::ln_above, 0.05, -1.003}, {"seamless", Shape::ln_above, 0.02, -1.199},
    {"normals", Shape::ln_below, 1.01, -0.1085},  {"beneath", Shape::ln_above, 0.02, -0.1588},
    {"sunk", Shape::ln_above, 0.005, -0.1299},    {"inside", Shape::ln_above, 0.01, -0.4129},
};

/// Log-odds = constant + Σ weight × shape(number). Confidence is σ(slope × log-odds + offset) over 1 + Σ exp(rival ×
/// (log-odds of another pose + share × ln(what it explains of the same pixels) − its own)).
struct PartWeights {
  double constant;
  std::span<const Weight> each;
  double slope, offset, rival, share;
};
inline constexpr PartWeights part_weights{-16.298, part_evidence_weights, 1.3, 0.5, 1, 15};

}  // namespace dovetail::pose
