// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "core/random.h"
#include "dovetail/points.h"

namespace dovetail::bench::scenes {

/// A place in the room, at a height between `low` and `high`, that is not inside of something: nothing is nearer than
/// 0.3 m around. The last one tried where none was free.
Vec3 free_place(const PointCloud& room, double low, double high, RandomStream& random);

}  // namespace dovetail::bench::scenes
