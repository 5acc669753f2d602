// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>

#include "dovetail/options.h"
#include "shown.h"

// Options by keyword, from the library's own table of them.

namespace dovetail::python {

namespace py = pybind11;

/// A value from Python as the text that set_option() takes. Throws TypeError where it is not of the option's kind.
std::string option_text(const OptionInfo& info, const py::handle& value);
/// And back.
py::object option_value(const OptionInfo& info, const std::string& text);

/// Takes what is an option of this struct out of the keywords and sets it; None leaves the default. Throws
/// InvalidArgument naming the option, the value and what is allowed.
template <class Options>
void set_options(Options& options, py::dict& keywords) {
  for (const OptionInfo& info : list_options<Options>()) {
    if (!keywords.contains(info.name.c_str())) continue;
    const py::object value = keywords.attr("pop")(info.name);
    if (!value.is_none()) set_option(options, info.name, option_text(info, value));
  }
}

/// Every option with its value.
template <class Options>
void add_values(py::dict& values, const Options& options) {
  for (const OptionInfo& info : list_options<Options>()) {
    values[py::str(info.name)] = option_value(info, get_option(options, info.name));
  }
}

/// Takes a keyword out; None where it was not given.
py::object take(py::dict& keywords, const char* name);
/// The same as a value of a type; nothing where it was not given or is None. Throws TypeError, which says what it is to
/// be, where it is of another.
template <class T>
std::optional<T> take_as(py::dict& keywords, const char* name, const char* wanted) {
  const py::object given = take(keywords, name);
  if (given.is_none()) return std::nullopt;
  try {
    return given.cast<T>();
  } catch (const py::cast_error&) {
    throw py::type_error(std::string(name) + ": " + shown(given) + " is not allowed; allowed: " + wanted);
  }
}
/// The same as something that can be called, or None.
py::object take_callable(py::dict& keywords, const char* name);
/// Throws TypeError where a keyword is left that nobody took.
void expect_empty(const py::dict& keywords);

}  // namespace dovetail::python
