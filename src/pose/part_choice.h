// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "pose/part_candidate.h"

namespace dovetail::pose {

/// Which of many candidates are there together: every pixel is explained once, no two parts are in one place, and what
/// another pose explains as well is doubtful.
class PartChoice {
 public:
  PartChoice(const RangeScene& scene, double min_confidence);

  /// Adds candidates to those there are, and takes the likely ones, the likeliest first.
  /// Ends early where `stopped` says so.
  void consider(std::vector<PartCandidate> candidates, const std::function<bool()>& stopped);

  /// In the order in which they were taken.
  const std::vector<PartCandidate>& found() const { return found_; }
  /// What was not taken and is not a found part's, the likeliest first.
  std::vector<PartCandidate> doubtful() const;
  const RangeScene& scene() const { return scene_; }
  /// 1 for the pixels of the scene that a found part explains.
  const std::vector<std::uint8_t>& taken() const { return taken_; }

 private:
  struct Standing {
    PartEvidence evidence;
    double log_odds = 0;
  };
  /// What is left of an open candidate's evidence beside what was found.
  Standing standing_of(std::size_t candidate);
  double share_inside(std::size_t candidate);
  const SolidImage& solid_of(std::size_t candidate);
  std::vector<PartRival> rivals_of(std::size_t candidate) const;
  bool take_next();
  void take(std::size_t candidate);

  const RangeScene& scene_;
  double min_confidence_;
  std::vector<PartCandidate> open_, found_;
  std::vector<Standing> standing_;                      // of the open ones, for what was found so far
  std::vector<std::optional<SolidImage>> open_solids_;  // of those that were asked for
  std::vector<SolidImage> solids_;                      // of the found ones
  std::vector<std::uint8_t> taken_;
};

}  // namespace dovetail::pose
