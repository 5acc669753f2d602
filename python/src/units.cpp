// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/units.h"

#include <pybind11/stl.h>

#include <array>
#include <cmath>

#include "bindings.h"
#include "dovetail/error.h"
#include "dovetail/points.h"

namespace dovetail::python {

void add_units(py::module_& m) {
  m.def(
      "millimetres_in", [](const std::string& unit) { return millimetres_in("unit", unit); }, py::arg("unit"),
      "Millimetres in 'mm', 'cm', 'm' or 'inch'.");
  m.def("likely_part_unit", &likely_part_unit, py::arg("part"),
        "Millimetres in a unit of a part, told by its size: of metres where it is less than 1 across, else 1.");
  m.def(
      "sides_of",
      [](const PointCloud& part) {
        const Vec3 sides = sides_of(part);
        return std::array{sides[0], sides[1], sides[2]};
      },
      py::arg("part"), "Of the box around a part, in its unit.");
  m.def(
      "scaled",
      [](PointCloud part, double millimetres) {
        for (Vec3& p : part.positions) p *= millimetres;
        return part;
      },
      py::arg("part"), py::arg("millimetres"), "A copy of a part that is so many times as large.");
}

}  // namespace dovetail::python
