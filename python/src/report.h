// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "dovetail/registration.h"

// How results are shown to people.

namespace dovetail::python {

namespace py = pybind11;

/// Four digits.
std::string short_text(double value);
std::string short_text(const Vec3& v);

/// One line, with what matters first.
std::string repr_of(const Registration& result);

/// What a notebook shows: dovetail._report has the looks.
std::string html_of(const py::object& result);

}  // namespace dovetail::python
