// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "dovetail/points.h"

namespace dovetail::app {

/// What a command needs a part's mesh for.
enum class PartUse {
  solid,    ///< has to be closed; what mend_mesh() mends does no harm
  surface,  ///< is looked at: a scan that is open is as good
};

/// Tells on stderr, in one line, what is wrong with a part's mesh; nothing of a sound one, or of points. Lengths are
/// in `unit`, empty where nobody knows it.
void warn_of_mesh(const std::string& file, const PointCloud& part, PartUse use, const std::string& unit = "");

/// The lines of `info` about a mesh, on stdout.
void print_mesh_check(const PointCloud& mesh);

}  // namespace dovetail::app
