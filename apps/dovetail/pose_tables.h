// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/pose_evaluation.h"

namespace dovetail::app {

/// The scores for a person, on stdout: each kind for all objects, then a row for each object. In percent.
void print_pose_evaluation(const PoseEvaluation& evaluation);

}  // namespace dovetail::app
