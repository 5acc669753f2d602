// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "harness.h"

namespace dovetail::bench {

/// From rough poses to verdicts, and whole images: what follows rough poses in `pose find`. Needs the renderer, which
/// makes the references.
void measure_images(const Arguments& arguments);

}  // namespace dovetail::bench
