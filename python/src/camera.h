// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "dovetail/range_image.h"

namespace dovetail::python {

/// A camera that came from Python: a DepthCamera, a file, or None. Throws TypeError, FileError.
std::optional<DepthCamera> camera_from(const pybind11::object& camera);

}  // namespace dovetail::python
