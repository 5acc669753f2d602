// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

#include "dovetail/error.h"

namespace dovetail::python {

/// The value of that name in a table of (name, value). Throws InvalidArgument that lists the names there are.
template <class Table>
auto value_named(const Table& table, const char* argument, const std::string& name) {
  std::string allowed;
  for (const auto& [known, value] : table) {
    if (name == known) return value;
    allowed += (allowed.empty() ? "" : ", ") + std::string(known);
  }
  throw InvalidArgument(std::string(argument) + ": '" + name + "' is not allowed; allowed: " + allowed);
}

}  // namespace dovetail::python
