// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/points.h"
#include "dovetail/transform.h"

namespace dovetail::test {

/// Points on a hilly surface that no motion maps onto itself, about 100 wide: 41 x 31 of them.
PointCloud hills();

/// A wavy curve in 2D.
PointCloud curve();

/// A small motion that ICP recovers from.
Transform small_motion();
Transform small_motion_2d();

/// A straight line of points: no pose is determined.
PointCloud line();

}  // namespace dovetail::test
