// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <string_view>

namespace dovetail::report {

/// Appends the bytes as base64 (RFC 4648, padded).
void append_base64(std::string& text, std::string_view bytes);

}  // namespace dovetail::report
