// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <optional>
#include <string>

#include "dovetail/run.h"
#include "methods/observed_pose.h"
#include "prepare/clouds.h"

// A start whose uncertainty is known: from the run's words for it to an observation in local units.

namespace dovetail {

/// The first start of a run, local, and how well it is known, where the run says so.
struct FirstStart {
  Similarity3 pose;
  std::optional<ObservedPose> known;
};

/// Throws InvalidArgument where a run says how well its start is known in a way that makes no sense for clouds of so
/// many dimensions.
void check_known_start(const Run& run, int dimension, bool estimate_scale);

/// Throws InvalidArgument where a run says how well its start is known: `who` does not count it, and `instead` does.
void refuse_known_start(const Run& run, const std::string& who, const std::string& instead);

/// The start with what the run knows of it, about where it puts the source's centroid.
FirstStart first_start(const Run& run, const Prepared& prepared, const Similarity3& pose);

}  // namespace dovetail
