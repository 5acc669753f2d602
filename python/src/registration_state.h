// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>

#include "dovetail/registration.h"

// A result as values that pickle keeps: results travel between processes.

namespace dovetail::python {

namespace py = pybind11;

py::tuple transform_state(const Transform& t);
Transform transform_from(const py::tuple& state);
py::tuple iteration_state(const Iteration& iteration);
Iteration iteration_from(const py::tuple& state);
py::tuple registration_state(const Registration& result);
Registration registration_from(const py::tuple& state);

std::map<std::string, std::size_t> counts_of(const Registration& result);
std::map<std::string, double> times_of(const Registration& result);

}  // namespace dovetail::python
