// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/registration.h"
#include "pose/verified_pose.h"

namespace dovetail::pose {

/// What an image says for or against a part being there.
struct PartEvidence {
  double purity = 0;      ///< of the pixels that tell something, the share that is explained
  double visible = 0;     ///< explained share of the pixels that the part would have
  double closeness = 0;   ///< 1 less the root mean square of what is off, in tolerances
  double edges = 0;       ///< share of the part's outline that is where the image has an edge or nothing
  double normals = 0;     ///< mean cosine between the part's normals and the measured ones
  double beneath = 0;     ///< share of what it explains that is floor or wall
  double log_pixels = 0;  ///< logarithm of the number of explained pixels

  std::vector<Evidence> named() const;
};

/// `background` is that of background_of().
PartEvidence part_evidence(const RangeScene& scene, const std::vector<std::uint8_t>& background, const Verdict& verdict,
                           double tolerance);

/// The logarithm of the odds that the part is there, at that pose.
double part_log_odds(const PartEvidence& evidence);

}  // namespace dovetail::pose
