// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "dovetail/range_image.h"
#include "state.h"

namespace dovetail::python {

template <>
struct Fields<DepthCamera> {
  static auto of(auto& c) {
    return std::tie(c.width, c.height, c.fx, c.fy, c.cx, c.cy, c.depth_scale, c.pixel_center, c.distortion);
  }
};

/// A camera that came from Python: a DepthCamera, a file, or None. Throws TypeError, FileError.
std::optional<DepthCamera> camera_from(const pybind11::object& camera);

}  // namespace dovetail::python
