// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string_view>

#include "dovetail/io.h"
#include "io/output.h"

namespace dovetail::io {

bool is_xyz(std::string_view bytes);
/// Whether the names of its columns say that x is a longitude and y a latitude. Throws FileError as read_xyz() does.
bool holds_degrees(std::string_view file, std::string_view bytes);
PointCloud read_xyz(std::string_view file, std::string_view bytes);
void write_xyz(Output& out, const PointCloud& cloud, Encoding encoding);
void write_csv(Output& out, const PointCloud& cloud, Encoding encoding);  ///< .csv: commas and a line of names

}  // namespace dovetail::io
