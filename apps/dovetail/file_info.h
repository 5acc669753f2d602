// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "dovetail/distance_field.h"

namespace dovetail::app {

/// What a field holds, in a few lines on stdout.
void print_field(const DistanceField& field);

/// What a file holds: a pose database, a distance field, points or a mesh. Throws FileError.
void print_file(const std::string& file);

}  // namespace dovetail::app
