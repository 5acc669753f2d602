// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string_view>

#include "dovetail/io.h"
#include "io/output.h"

namespace dovetail::io {

bool is_las(std::string_view bytes);
PointCloud read_las(std::string_view file, std::string_view bytes);
void check_las(const PointCloud& cloud);  ///< throws InvalidArgument for one it cannot hold
void write_las(Output& out, const PointCloud& cloud, Encoding encoding);

}  // namespace dovetail::io
