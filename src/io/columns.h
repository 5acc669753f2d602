// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/points.h"
#include "io/cursor.h"

namespace dovetail::io {

/// Makes a cloud of named columns of equal length. x, y and z become positions (2D without z), nx ny nz (or normal_x
/// ...) normals, red green blue [alpha] (or r g b, diffuse_red ...) colours; upper and lower case are the same.
/// What is left, incomplete or out of range as a colour stays an attribute. `cursor` words the refusals.
PointCloud cloud_from_columns(std::vector<Attribute> columns, const Cursor& cursor);

/// Gives `x y z [more]` columns without names theirs by looking at the values: three columns of unit length are
/// normals, three of whole numbers from 0 to 255 colours, anything else is "column_4" and so on.
void name_columns_by_content(std::vector<Attribute>& columns);

/// Appends red, green, blue and alpha of colours in any number type and of any usual range: 0..255, 0..65535, or 0..1
/// for real numbers. False, and nothing taken, when they are out of range.
bool take_colors(const std::vector<Attribute>& columns, const std::vector<std::size_t>& rgba, PointCloud& cloud);

}  // namespace dovetail::io
