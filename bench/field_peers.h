// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "field_scenes.h"
#include "harness.h"

namespace dovetail::bench {

/// SciPy and OpenCV on the same cells. `squared_sum` is what all squared distances of an exact field add up to.
void time_field_peers(const Arguments& arguments, const FieldScene& scene, double squared_sum);

}  // namespace dovetail::bench
