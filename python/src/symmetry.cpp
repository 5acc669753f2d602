// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/symmetry.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "arrays.h"
#include "bindings.h"
#include "option_table.h"
#include "points_argument.h"
#include "report.h"
#include "run_argument.h"
#include "state.h"

namespace dovetail::python {

template <>
struct Fields<SymmetryAxis> {
  static auto of(auto& a) { return std::tie(a.direction, a.through, a.order); }
};
template <>
struct Fields<Symmetry> {
  static auto of(auto& s) {
    return std::tie(s.kind, s.order, s.axes, s.rotations, s.mirror, s.center, s.diameter, s.radius, s.covariance,
                    s.deviation, s.tolerance, s.allowance, s.has_faces, s.box_low, s.box_high, s.part_file);
  }
};

namespace {

Symmetry find(const PointsLike& part, py::dict keywords) {
  SymmetryOptions options;
  set_options(options, keywords);
  RunArgument run(keywords);
  expect_empty(keywords);
  PointsArgument argument(part, "part");
  const PointCloud& cloud = argument.cloud();
  return run([&](const Run& how) { return find_symmetry(cloud, options, how); });
}

DoubleArray rotations_of(const Symmetry& s) { return matrices_of(s.rotations); }

}  // namespace

void add_symmetry(py::module_& m) {
  py::class_<SymmetryAxis>(m, "SymmetryAxis", "A line about which a part may be turned.")
      .def_property_readonly(
          "direction", [](const SymmetryAxis& a) { return array_of(a.direction); }, "Unit length.")
      .def_property_readonly(
          "through", [](const SymmetryAxis& a) { return array_of(a.through); }, "A point of the line.")
      .def_readonly("order", &SymmetryAxis::order, "Turns by 360 / order degrees; 0: by any angle.")
      .def(pickled<SymmetryAxis>())
      .def("__repr__", [](const SymmetryAxis& a) {
        return "<dovetail.SymmetryAxis along " + short_text(a.direction) + ", order " + std::to_string(a.order) + ">";
      });
  py::class_<Symmetry>(m, "Symmetry",
                       "The rotations that map a part onto itself, in the frame and the units of its file.")
      .def_property_readonly(
          "name", [](const Symmetry& s) { return group_name(s); }, "'C1', 'D6', 'O', 'C∞', 'sphere', ...")
      .def_property_readonly(
          "description", [](const Symmetry& s) { return describe(s); }, "The same in words.")
      .def_property_readonly(
          "kind", [](const Symmetry& s) { return to_string(s.kind); },
          "'none', 'cyclic', 'dihedral', ..., 'revolution', 'sphere'.")
      .def_readonly("order", &Symmetry::order, "Of the main axis; 0 of those that turn freely.")
      .def_readonly("axes", &Symmetry::axes, "Every axis, the main one first.")
      .def_property_readonly("rotations", &rotations_of,
                             "The rotations as matrices (k, 4, 4), the identity first; of parts that turn freely those "
                             "that a free turn does not give.")
      .def_readonly("mirror", &Symmetry::mirror, "Whether the part equals its mirror image.")
      .def_property_readonly("center", [](const Symmetry& s) { return array_of(s.center); })
      .def_readonly("diameter", &Symmetry::diameter, "Largest distance between two vertices.")
      .def_readonly("radius", &Symmetry::radius, "Largest distance of a vertex from the centre.")
      .def_property_readonly(
          "covariance", [](const Symmetry& s) { return array_of(s.covariance); },
          "Of the surface's points about the centre, 3x3.")
      .def_readonly("deviation", &Symmetry::deviation, "Largest distance from the turned surface to the surface.")
      .def_readonly("tolerance", &Symmetry::tolerance, "What was allowed.")
      .def_readonly("allowance", &Symmetry::allowance, "Of clouds: what was allowed beside it for spacing and noise.")
      .def_readonly("has_faces", &Symmetry::has_faces, "Measured on faces; else on points alone.")
      .def_property_readonly("box_low", [](const Symmetry& s) { return array_of(s.box_low); })
      .def_property_readonly("box_high", [](const Symmetry& s) { return array_of(s.box_high); })
      .def(
          "to_json", [](const Symmetry& s, int indent) { return to_json(s, indent); }, py::arg("indent") = 2,
          "Everything as JSON, schema dovetail.symmetry/1.")
      .def(
          "save", [](const Symmetry& s, const std::filesystem::path& file) { write_symmetry(file, s); },
          py::arg("file"), "Writes to_json(). The file appears whole or not at all.")
      .def(
          "add_to_models_info",
          [](const Symmetry& s, const std::filesystem::path& file, int id, double millimetres) {
            add_to_models_info(file, id, s, millimetres);
          },
          py::arg("file"), py::arg("id"), py::kw_only(), py::arg("millimetres") = 1.0,
          "Puts the part into a models_info.json of the BOP benchmark; millimetres is what one unit of the part is.")
      .def(pickled<Symmetry>())
      .def("__repr__",
           [](const Symmetry& s) { return "<dovetail.Symmetry " + group_name(s) + ": " + describe(s) + ">"; })
      .def(
          "_repr_html_", [](const py::object& self) { return html_of(self); }, "What notebooks show.");
  m.def("read_symmetry", &read_symmetry, py::arg("file"), "Reads what `dovetail symmetry --json` or save() wrote.");
  m.def("symmetry", &find, py::arg("part"), py::arg("keywords"));
}

}  // namespace dovetail::python
