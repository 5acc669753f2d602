// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "option_table.h"

#include <pybind11/stl.h>

#include "bindings.h"
#include "dovetail/bin_images.h"
#include "dovetail/find.h"
#include "dovetail/find_parts.h"
#include "dovetail/pose_database.h"
#include "dovetail/pose_evaluation.h"
#include "shown.h"

namespace dovetail::python {
namespace {

[[noreturn]] void refuse(const OptionInfo& info, const py::handle& value, const char* kind) {
  throw py::type_error("option " + info.name + ": " + shown(value) + " is no " + kind + "; allowed: " + info.allowed);
}

/// Numbers of Python and NumPy alike; True and False are none.
bool is_a(const py::handle& value, const char* abstract) {
  if (PyBool_Check(value.ptr())) return false;
  return py::isinstance(value, py::module_::import("numbers").attr(abstract));
}

std::string joined(const OptionInfo& info, const py::handle& motions) {
  if (py::isinstance<py::str>(motions)) return py::str(motions);
  if (!py::isinstance<py::sequence>(motions) && !py::isinstance<py::set>(motions))
    refuse(info, motions, "list of motions");
  std::string text;
  for (const py::handle motion : motions) {
    if (!text.empty()) text += ',';
    text += std::string(py::str(motion));
  }
  return text;
}

template <class Options>
void add_table(py::dict& tables, const char* name) {
  tables[name] = list_options<Options>();
}

}  // namespace

std::string option_text(const OptionInfo& info, const py::handle& value) {
  if (info.kind == "number") {
    if (!is_a(value, "Real")) refuse(info, value, "number");
    return py::repr(py::float_(py::reinterpret_borrow<py::object>(value)));
  }
  if (info.kind == "integer") {
    if (!is_a(value, "Integral")) refuse(info, value, "whole number");
    return py::repr(py::int_(py::reinterpret_borrow<py::object>(value)));
  }
  if (info.kind == "flag") {
    const bool numpys = py::isinstance(value, py::module_::import("numpy").attr("bool_"));
    if (!PyBool_Check(value.ptr()) && !numpys) refuse(info, value, "True or False");
    return py::cast<bool>(value) ? "true" : "false";
  }
  if (info.kind == "motions") return joined(info, value);
  if (!py::isinstance<py::str>(value)) refuse(info, value, "name");
  return py::str(value);
}

py::object option_value(const OptionInfo& info, const std::string& text) {
  if (info.kind == "number") return py::float_(py::str(text));
  if (info.kind == "integer") return py::int_(py::str(text));
  if (info.kind == "flag") return py::bool_(text == "true");
  return py::str(text);
}

py::object take(py::dict& keywords, const char* name) {
  return keywords.contains(name) ? py::object(keywords.attr("pop")(name)) : py::none();
}

py::object take_callable(py::dict& keywords, const char* name) {
  py::object callback = take(keywords, name);
  if (!callback.is_none() && PyCallable_Check(callback.ptr()) == 0) {
    throw py::type_error(std::string(name) + ": " + shown(callback) + " cannot be called");
  }
  return callback;
}

void expect_empty(const py::dict& keywords) {
  for (const auto& [name, value] : keywords) throw py::type_error("there is no option " + std::string(py::str(name)));
}

void add_option_tables(py::module_& m) {
  py::class_<OptionInfo>(m, "OptionInfo", "One option: its name, kind, default, what is allowed, and what it means.")
      .def_readonly("name", &OptionInfo::name)
      .def_readonly("kind", &OptionInfo::kind, "'number', 'integer', 'flag', 'choice' or 'motions'.")
      .def_property_readonly("default", [](const OptionInfo& info) { return option_value(info, info.default_value); })
      .def_readonly("allowed", &OptionInfo::allowed)
      .def_readonly("help", &OptionInfo::help)
      .def("__repr__", [](const OptionInfo& info) {
        return "<dovetail.OptionInfo " + info.name + ": " + info.help + " (default " + info.default_value +
               "; allowed: " + info.allowed + ")>";
      });

  m.def(
      "option_tables",
      [] {
        py::dict tables;
        add_table<Icp>(tables, "icp");
        add_table<EmIcp>(tables, "em_icp");
        add_table<Softassign>(tables, "softassign");
        add_table<Gpicp>(tables, "gpicp");
        add_table<Chamfer>(tables, "chamfer");
        add_table<FieldOptions>(tables, "field");
        add_table<Find>(tables, "find");
        add_table<SymmetryOptions>(tables, "symmetry");
        add_table<PoseDatabaseOptions>(tables, "pose_database");
        add_table<FindParts>(tables, "find_parts");
        add_table<PoseEvaluationOptions>(tables, "pose_evaluation");
        add_table<BinOptions>(tables, "bin");
        add_table<BinImages>(tables, "bin_images");
        add_table<DepthSensor>(tables, "depth_sensor");
        add_table<Run>(tables, "run");
        return tables.cast<std::map<std::string, std::vector<OptionInfo>>>();
      },
      "Every option there is, by what it belongs to.");
}

}  // namespace dovetail::python
