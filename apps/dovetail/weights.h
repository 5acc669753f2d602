// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace dovetail::app {

/// One number a line; # begins a comment. As many as `source` has points. Throws FileError.
std::vector<double> read_weights(const std::filesystem::path& file, std::size_t points, const std::string& source);

}  // namespace dovetail::app
