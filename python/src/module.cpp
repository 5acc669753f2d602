// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bindings.h"

PYBIND11_MODULE(_native, m) {
  namespace python = dovetail::python;
  m.doc() = "The compiled part of dovetail. Use the package, not this.";
  // What is bound below is the package's own: classes say so in their names, and pickles find them there.
  const pybind11::object own_name = m.attr("__name__");
  m.attr("__name__") = "dovetail";
  python::add_errors(m);
  python::add_option_tables(m);
  python::add_geo_frame(m);
  python::add_points(m);
  python::add_files(m);
  python::add_units(m);
  python::add_prepare(m);
  python::add_camera(m);
  python::add_range_image(m);
  python::add_machines(m);
  python::add_meshes(m);
  python::add_quality(m);
  python::add_registration(m);
  python::add_fields(m);
  python::add_register(m);
  python::add_seen_in_image(m);
  python::add_find(m);
  python::add_symmetry(m);
  python::add_scanner(m);
  python::add_bins(m);
  python::add_resting(m);
  python::add_pose_database(m);
  python::add_find_parts(m);
  python::add_pose_evaluation(m);
  python::add_report(m);
  m.attr("__name__") = own_name;
}
