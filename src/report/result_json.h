// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <optional>
#include <string>

#include "dovetail/transform.h"
#include "io/json_parts.h"

namespace dovetail::report {

using io::json::Json;

/// A result as it was written. Throws InvalidArgument that begins with `name` where it is no JSON, or not of `schema`.
Json parse_result(const std::string& name, const std::string& text, const char* schema);

/// The matrix under a key, 3x3 or 4x4; nothing where there is none.
std::optional<Transform> pose_at(const Json& json, const char* key);

/// The number under a key, or another where there is none.
double number_at(const Json& json, const char* key, double otherwise);

}  // namespace dovetail::report
