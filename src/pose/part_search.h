// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "dovetail/find_parts.h"
#include "pose/fine_scene.h"
#include "pose/part_choice.h"
#include "pose/rough_search.h"

namespace dovetail::pose {

/// The search of one image.
class PartSearch {
 public:
  /// What is given has to outlive it.
  PartSearch(const RangeImage& image, const PoseDatabase& database, const FindParts& options, const Work& work,
             Backend& backend);
  PartSearch(const PartSearch&) = delete;
  PartSearch& operator=(const PartSearch&) = delete;

  void run();

  bool stopped() const;
  const RangeScene& scene() const { return scene_; }
  const std::vector<WantedPart>& wanted() const { return wanted_; }
  const PartChoice& choice() const { return *choice_; }
  /// Why some parts of the database, or all, cannot be told in this image, and are not looked for: a line each.
  const std::vector<std::string>& not_looked_for() const { return not_looked_for_; }

 private:
  void check_starts() const;
  /// Those that the caller gave, refined.
  std::vector<PartCandidate> given_starts() const;
  Control control() const;
  /// Drops those that do not mostly lie where parts are looked for.
  void leave_out(std::vector<PartCandidate>& candidates) const;
  void search_round(int round);
  /// What may as well be another way round is looked at that way too.
  void add_turned(std::vector<PartCandidate>& candidates) const;
  /// The windows and rough poses of all parts about some places, at once.
  void look_about(std::span<const SceneStart> starts);
  /// The best poses of each part about each of the places that were looked about last.
  std::vector<PartCandidate> candidates_about(int round);
  /// The rough ones of those, refined: window by window.
  std::vector<std::vector<PartCandidate>> refined_about(std::size_t effort);

  const FindParts& options_;
  const Work& work_;
  const PoseDatabase& database_;
  std::chrono::steady_clock::time_point began_;
  RangeScene scene_;
  std::vector<WantedPart> wanted_;
  std::vector<std::string> not_looked_for_;
  std::vector<std::uint8_t> left_out_;
  Background background_;
  StartSettings settings_;
  std::optional<FineScene> fine_scene_;
  std::optional<PartChoice> choice_;
  std::size_t places_together_;  // a GPU has room for more, and waits for each lot; a stopped search loses the last one
  RoughSearch rough_search_;
  std::vector<SceneWindow> windows_;           // of the places that are looked at together, part by part
  std::vector<std::vector<RoughPose>> rough_;  // likewise
};

}  // namespace dovetail::pose
