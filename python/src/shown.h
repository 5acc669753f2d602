// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace dovetail::python {

/// A value of Python for a message: its repr() in one line, shortened to some eighty characters.
inline std::string shown(const pybind11::handle& value) {
  return pybind11::str(pybind11::module_::import("dovetail._shown").attr("shown")(value));
}

}  // namespace dovetail::python
