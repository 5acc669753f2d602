// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/symmetry.h"
#include "io/bop_json.h"

namespace dovetail::io {

/// What to_json(symmetry) wrote. Throws FileError naming the place and the reason.
Symmetry symmetry_from_json(const JsonPlace& place);

}  // namespace dovetail::io
