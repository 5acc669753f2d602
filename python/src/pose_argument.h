// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/transform.h"
#include "likes.h"

namespace dovetail::python {

/// A pose that came from Python: a matrix (4x4, 3x4 or, in 2D, 3x3), a result, or a file. `name` is what messages call
/// it. Throws InvalidArgument, FileError.
Transform pose_from(const PoseLike& pose, const char* name);

/// The same of what has to keep lengths and angles, and is no mirror: a robot's frame, say.
Transform rigid_pose_from(const PoseLike& pose, const char* name);

}  // namespace dovetail::python
