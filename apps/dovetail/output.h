// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <string>

#include "dovetail/io.h"
#include "dovetail/points.h"
#include "dovetail/registration.h"

namespace dovetail::app {

/// Refuses what could not be written at the end before any work is done: a folder that is not there.
void check_writable(const std::filesystem::path& file);
/// The same for a point file: also a name whose ending no format has.
void check_point_file(const std::filesystem::path& file);

/// `--json FILE|-`: to a file, or to stdout.
void write_json(const std::string& file, const Registration& result);

/// Reads a point file and adds the time it took.
PointCloud timed_read(const std::filesystem::path& file, double& milliseconds);

}  // namespace dovetail::app
