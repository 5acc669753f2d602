// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <vector>

namespace dovetail::app {

/// One number a line; # begins a comment. Throws FileError.
std::vector<double> read_weights(const std::filesystem::path& file);

}  // namespace dovetail::app
