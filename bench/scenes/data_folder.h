// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>

namespace dovetail::bench {

/// The folder with real scans: DOVETAIL_DATA, else shared/data beside the project; empty when neither is there.
std::filesystem::path data_folder();

}  // namespace dovetail::bench
