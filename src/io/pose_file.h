// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <string_view>

#include "dovetail/pose_file.h"
#include "io/json_pose.h"

namespace dovetail::io {

/// The transform of the model the file names, else of the narrowest model that fits. Throws InvalidArgument.
Transform pose_from_rows(const PoseRows& pose);

/// Reads a pose file that is in memory. `file` is its name for messages.
StoredPose parse_pose(const std::string& file, std::string_view bytes);

}  // namespace dovetail::io
