// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dovetail/pose_file.h"
#include "dovetail/transform.h"

namespace dovetail::io {

/// A pose as a file gives it, not yet checked.
struct PoseRows {
  std::vector<std::vector<double>> rows;
  std::optional<Model> model;  ///< where the file names one
  StoredPose origin;           ///< what the file says beside it; its transform is not set
};

/// The covariance of a result's JSON text. Throws as rows_from_json() does.
StoredCovariance covariance_from_json(const std::string& file, std::string_view bytes);

/// The matrix in a JSON text. Throws FileError naming the file and the line or the key.
PoseRows rows_from_json(const std::string& file, std::string_view bytes);

}  // namespace dovetail::io
