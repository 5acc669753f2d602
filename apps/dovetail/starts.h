// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "dovetail/run.h"

namespace dovetail::app {

/// Adds `--start FILE|identity|centroid`, which may be repeated.
void add_start_flag(CLI::App& command, std::vector<std::string>& starts);

/// Reads the poses of `--start` into the run. `dimension` is that of the clouds.
void set_starts(Run& run, const std::vector<std::string>& starts, int dimension);

}  // namespace dovetail::app
