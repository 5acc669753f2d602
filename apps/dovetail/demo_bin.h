// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>

#include "dovetail/report.h"

namespace dovetail::app {

/// The second half of the demo: a simulated bin of pipes, every part found in its depth image and compared with the
/// truth. Writes into `folder`, adds what was found to the report, prints a table, and tells whether every answer is
/// right. Where bins or rendering were not built in it says so, and all is fine.
bool demo_bin(const std::filesystem::path& folder, int threads, Report& report);

}  // namespace dovetail::app
