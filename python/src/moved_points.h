// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include "dovetail/transform.h"
#include "likes.h"

namespace dovetail::python {

/// Points that were moved: an array of the same number type for an array, a cloud for everything else.
pybind11::object moved(const Transform& pose, const PointsLike& points);

}  // namespace dovetail::python
