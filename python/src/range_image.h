// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include "dovetail/range_image.h"

namespace dovetail::python {

/// A range image that came from Python: a RangeImage, an array (rows, columns), an organised cloud, or a file. `unit`
/// is what one unit of floats and clouds is in mm, 0: told by the depths. Throws InvalidArgument, TypeError, FileError.
RangeImage range_image_from(const pybind11::object& image, const pybind11::object& camera, double unit);

}  // namespace dovetail::python
