// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "dovetail/registration.h"
#include "methods/drawn_part.h"

namespace dovetail::pose {

/// What an image says for or against a part being there. docs/pose_find.md tells each number.
struct PartEvidence {
  double purity = 0;     ///< of the pixels that tell something, the share that is explained
  double visible = 0;    ///< explained share of the pixels that the part would have
  double closeness = 0;  ///< 1 less the root mean square of what is off, in tolerances
  double edges = 0;      ///< share of the part's outline that is where the image has an edge or nothing
  double continued = 0;  ///< share of the part's outline beyond which the measured surface goes on
  double seamless = 0;   ///< of the border of what is explained, the share where it is said to go behind something that
                         ///< the image shows no edge of
  double crossed = 0;    ///< share of what it explains where the image has an edge and the part has none
  double normals = 0;    ///< mean cosine between the part's normals and the measured ones
  double askew = 0;      ///< share of the normals that are off by more than 30 degrees
  double beneath = 0;    ///< share of what it explains that is floor or wall
  double sunk = 0;       ///< share of its surface that would be behind floor or wall
  double log_pixels = 0;  ///< logarithm of the number of explained pixels
  double shared = 0;      ///< share of what it explains that parts found before it explain
  double inside = 0;      ///< share of its pixels where it would be in the same place as a part found before it

  std::vector<Evidence> named() const;
};

/// Of what was counted, with so many points of the surface asked. Where the part is not outlined its outline says
/// nothing: `edges` and `continued` are as of a part that fits fairly. What other parts say is left out.
PartEvidence part_evidence(const drawn::Seen& seen, const drawn::Told& told, std::size_t surface_points,
                           double tolerance, bool outlined);

/// The logarithm of the odds that the part is there, at that pose.
double part_log_odds(const PartEvidence& evidence);

/// Another pose that explains some of the same pixels.
struct RivalOdds {
  double log_odds = 0;
  double share = 1;  ///< of these pixels that it explains
  double worse = 0;  ///< how much worse it fits where both are seen, by fits_worse()
};

/// How much more likely a rival is than a pose. The less it explains of the same the less: what it does not explain
/// would have to be yet another part.
double odds_against(double log_odds, const RivalOdds& rival);

/// The probability that a pose is right.
double part_confidence(double log_odds, std::span<const RivalOdds> rivals);

}  // namespace dovetail::pose
