// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "pose/found_part_odds.h"
#include "pose/verified_pose.h"
#include "pose/wanted_part.h"

namespace dovetail::pose {

/// Another pose of a part, or another part, that explains much of the same pixels.
struct PartRival {
  const WantedPart* wanted = nullptr;
  Rigid3 pose = Rigid3::identity();
  PartEvidence evidence;
  double log_odds = 0;
  double share = 0;  ///< of the same pixels that it explains
  double worse = 0;  ///< how much worse it fits, by fits_worse()
};

double confidence_of(double log_odds, const std::vector<PartRival>& rivals);

/// Where a part may be.
struct PartCandidate {
  const WantedPart* wanted = nullptr;
  Rigid3 pose = Rigid3::identity();  ///< camera_from_part
  double worth = 0;                  ///< before it is verified
  Verdict verdict;
  PartEvidence evidence;
  double log_odds = 0;                ///< by its evidence alone
  std::vector<PartRival> rivals;      ///< the likeliest first
  std::vector<std::size_t> explains;  ///< pixels of the scene, in order

  double confidence() const { return confidence_of(log_odds, rivals); }
};

/// Whether two candidates are as good as one: both right, or both wrong.
inline bool alike(const PartCandidate& a, const PartCandidate& b) {
  return a.wanted == b.wanted && as_near_as(0.1 * a.wanted->diameter, *a.wanted, a.pose, b.pose);
}

/// The best by their worth that are not alike, at most so many.
void keep_different(std::vector<PartCandidate>& candidates, std::size_t most);

/// Of those that are alike the likeliest; all by falling odds.
void keep_likeliest(std::vector<PartCandidate>& candidates);

}  // namespace dovetail::pose
