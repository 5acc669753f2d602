// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <optional>

#include "dovetail/reference.h"

namespace dovetail {

/// Points that are to be aligned, from a file.
struct ObservedFile {
  PointCloud points;
  std::optional<GeoFrame> frame;  ///< where they were longitudes and latitudes: what their metres count from
};

/// Reads points from any file that read_reference() reads: of lines points along them, 20,000 in all. Longitudes and
/// latitudes are brought into `options.frame`, the reference's say; a file that holds none is read as it is. Throws as
/// read_reference() does.
ObservedFile read_observed(const std::filesystem::path& file, ReferenceOptions options = {});

}  // namespace dovetail
