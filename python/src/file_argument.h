// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

namespace dovetail::python {

/// Whether something is the name of a file: a str, or what os.fspath() takes.
inline bool is_file(const pybind11::handle& object) {
  return pybind11::isinstance<pybind11::str>(object) || pybind11::hasattr(object, "__fspath__");
}

}  // namespace dovetail::python
