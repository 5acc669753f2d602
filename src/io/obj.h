// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string_view>

#include "dovetail/io.h"
#include "io/output.h"

namespace dovetail::io {

bool is_obj(std::string_view bytes);
PointCloud read_obj(std::string_view file, std::string_view bytes);
void write_obj(Output& out, const PointCloud& cloud, Encoding encoding);

}  // namespace dovetail::io
