// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "backend/backend.h"
#include "dovetail/find_parts.h"
#include "methods/rough_pose.h"
#include "pose/rough_parts.h"
#include "pose/rough_pose.h"

namespace dovetail::pose {

/// How the error of a rough pose is made of depths and edges, for references of one size. docs/methods/rough_pose.md
/// has the numbers and what they were chosen by.
rough::Params rough_params(RoughErrors errors, const PoseReferences& part);

/// Rough poses of parts at places of a scene, the references of a part at all places at once.
class RoughSearch {
 public:
  /// Of all parts of a database, which keeps what it puts into the machine's memory.
  RoughSearch(Backend& backend, const PoseDatabase& database, RoughErrors errors);
  /// Of other parts, which have to outlive it.
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
  /// Some jobs of a part, which have their settings in common.
  bool run_part(std::size_t part, std::span<const Job> jobs, std::span<const std::size_t> own, const Control& control,
                std::vector<std::vector<RoughPose>>& found) const;

  Backend& backend_;
  RoughErrors errors_;
  std::vector<rough::Params> params_;  // part by part
  std::shared_ptr<const std::vector<RoughPart>> parts_;
};

}  // namespace dovetail::pose
