// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <pybind11/pybind11.h>

// One file for each concept. A new one is declared here and called in module.cpp; what it binds has to be exported by
// dovetail/__init__.py, and the stubs follow.

namespace dovetail::python {

namespace py = pybind11;

void add_errors(py::module_& m);
void add_option_tables(py::module_& m);
void add_geo_frame(py::module_& m);
void add_points(py::module_& m);
void add_files(py::module_& m);
void add_units(py::module_& m);
void add_prepare(py::module_& m);
void add_machines(py::module_& m);
void add_meshes(py::module_& m);
void add_quality(py::module_& m);
void add_registration(py::module_& m);
void add_fields(py::module_& m);
void add_register(py::module_& m);
void add_seen_in_image(py::module_& m);
void add_find(py::module_& m);
void add_symmetry(py::module_& m);
void add_scanner(py::module_& m);
void add_camera(py::module_& m);
void add_range_image(py::module_& m);
void add_bins(py::module_& m);
void add_resting(py::module_& m);
void add_pose_database(py::module_& m);
void add_find_parts(py::module_& m);
void add_pose_evaluation(py::module_& m);
void add_report(py::module_& m);

}  // namespace dovetail::python
