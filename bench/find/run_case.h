// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "find/cases.h"
#include "find/methods.h"

namespace dovetail::bench::find {

/// Runs a method on a case and tells how it went: what was there, what was answered, how long it took, right or wrong.
nlohmann::ordered_json run_case(const Case& the_case, const std::string& method_name, const FindObjects& method,
                                Machine machine, int threads);

/// Writes scene.ply (with labels where they are known), every object as points and, where there is one, as a mesh, and
/// truth.json: where everything is; start.txt where a start is given.
void save_case(const Case& the_case, const std::filesystem::path& folder);

}  // namespace dovetail::bench::find
