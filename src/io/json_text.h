// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace dovetail::io {

using Json = nlohmann::json;

/// A whole JSON text. Throws FileError naming the file, the line and the reason.
Json parse_json(std::string_view file, std::string_view bytes);

}  // namespace dovetail::io
