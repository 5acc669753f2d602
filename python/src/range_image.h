// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include "dovetail/find.h"
#include "dovetail/range_image.h"

namespace dovetail::python {

/// A range image that came from Python: a RangeImage, an array (rows, columns), an organised cloud, or a file. `unit`
/// is what one unit of arrays and clouds is in mm; 0: of whole numbers the camera's depth_scale, of floats told by the
/// depths. Throws InvalidArgument, TypeError, FileError.
RangeImage range_image_from(const pybind11::object& image, const pybind11::object& camera, double unit);

/// The image of an earlier search, which tells the camera and the unit. Throws as above.
RangeImage range_image_of_search(const pybind11::object& image, const Found& found);

}  // namespace dovetail::python
