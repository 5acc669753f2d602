// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <filesystem>

#include "bindings.h"
#include "dovetail/error.h"

namespace dovetail::python {
namespace {

/// Raises a class of dovetail._errors.
void raise(const char* name, const char* what) {
  try {
    const py::object type = py::module_::import("dovetail._errors").attr(name);
    PyErr_SetObject(type.ptr(), py::reinterpret_steal<py::object>(
                                    PyUnicode_DecodeUTF8(
                                        what, static_cast<Py_ssize_t>(std::char_traits<char>::length(what)), "replace"))
                                    .ptr());
  } catch (py::error_already_set& error) {
    error.restore();
  }
}

}  // namespace

void add_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr error) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const InvalidArgument& e) {
      raise("InvalidArgument", e.what());
    } catch (const FileError& e) {
      raise("FileError", e.what());
    } catch (const MachineError& e) {
      raise("MachineError", e.what());
    } catch (const Error& e) {
      raise("Error", e.what());
    } catch (const std::filesystem::filesystem_error& e) {
      raise("FileError", e.what());
    }
  });
}

}  // namespace dovetail::python
