// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "backend/backend.h"
#include "dovetail/find_parts.h"
#include "methods/rough_pose.h"
#include "pose/rough_pose.h"

namespace dovetail::pose {

/// How the error of a rough pose is made of depths and edges, for references of one size. docs/methods/rough_pose.md
/// has the numbers and what they were chosen by.
rough::Params rough_params(RoughErrors errors, const PoseReferences& part);

/// Rough poses of parts at places of a scene, the references of a part at all places at once. The references are put
/// into the machine's memory when it is made; `parts` has to outlive it.
class RoughSearch {
 public:
  RoughSearch(Backend& backend, std::span<const PoseReferences> parts, RoughErrors errors);

  /// A part at a place.
  struct Job {
    std::size_t part = 0;
    const SceneWindow* window = nullptr;
  };
  /// Of each job the best place of each reference on its window, the most promising first. Stopped before its end it
  /// returns nothing, an empty list for each job.
  std::vector<std::vector<RoughPose>> run(std::span<const Job> jobs, const Control& control) const;

 private:
  struct Part {
    const PoseReferences* references = nullptr;
    LaidReferences laid;
    Placed<ReferencesView> placed;
    rough::Params params;
    std::vector<double> size;  ///< of each reference: how much of the part it shows, 1 the most
  };
  /// The jobs of a part, which have their settings in common.
  bool run_part(const Part& part, std::span<const Job> jobs, std::span<const std::size_t> own, const Control& control,
                std::vector<std::vector<RoughPose>>& found) const;

  Backend& backend_;
  RoughErrors errors_;
  std::vector<Part> parts_;
};

}  // namespace dovetail::pose
