// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "dovetail/points.h"
#include "dovetail/symmetry.h"

namespace dovetail::app {

/// The symmetry of a part as `dovetail symmetry PART --json` wrote it, in the part's millimetres: the file may be in
/// any unit that parts may be in. Throws FileError where it is that of another part.
Symmetry read_symmetry_of(const std::string& file, const std::string& name, const PointCloud& part);

}  // namespace dovetail::app
