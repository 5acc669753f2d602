// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "confidence/cases.h"
#include "dovetail/workspace.h"

namespace dovetail::bench::confidence {

/// Runs a case and tells how it went: what the case was, how far off the answer is, and what the result says of itself.
nlohmann::ordered_json run_case(const Case& the_case, Workspace& workspace);

/// Writes source, target and the source placed at the truth as PLY, and truth, start and answer as text files.
void save_case(const Case& the_case, const nlohmann::ordered_json& line, const std::filesystem::path& folder);

}  // namespace dovetail::bench::confidence
