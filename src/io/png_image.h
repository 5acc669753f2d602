// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string_view>

#include "dovetail/reference.h"

namespace dovetail::io {

bool is_png(std::string_view bytes);

/// A PNG image of any kind: a point (column, row) for every set pixel, row after row.
Reference read_png(std::string_view file, std::string_view bytes, const ReferenceOptions& options);

}  // namespace dovetail::io
