// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/registration.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "arrays.h"
#include "bindings.h"
#include "dovetail/pose_file.h"
#include "moved_points.h"
#include "option_table.h"
#include "registration_state.h"
#include "report.h"

namespace dovetail::python {
namespace {

/// Every option of the method and of the run as it was given, and the start.
py::dict options_of(const Registration& r) {
  py::dict values;
  if (r.method != "evaluate") {
    std::visit([&](const auto& options) { add_values(values, options); }, r.options);
    if (const Chamfer* chamfer = std::get_if<Chamfer>(&r.options)) add_values(values, chamfer->field);
  }
  add_values(values, r.run);
  values["start"] = r.run.start ? py::object(matrix_of(*r.run.start)) : py::none();
  return values;
}

py::array_t<double> trace_poses(const Registration& r) {
  const int side = dimension(r.target_from_source.model) + 1;
  py::array_t<double> poses({static_cast<py::ssize_t>(r.trace.size()), py::ssize_t{side}, py::ssize_t{side}});
  double* at = poses.mutable_data();
  for (const Iteration& row : r.trace) {
    const py::array_t<double> matrix = matrix_of(row.target_from_source);
    at = std::copy(matrix.data(), matrix.data() + matrix.size(), at);
  }
  return poses;
}

void add_rows(py::module_& m) {
  py::class_<Iteration>(m, "Iteration", "What a run shows after each iteration.")
      .def_readonly("iteration", &Iteration::iteration, "From 0.")
      .def_readonly("level", &Iteration::level, "0 is the coarsest resolution.")
      .def_readonly("rmse", &Iteration::rmse, "Of the pairs used.")
      .def_readonly("used_ratio", &Iteration::used_ratio, "Pairs used, as a share of the level's source points.")
      .def_readonly("max_distance", &Iteration::max_distance, "Pairs farther apart were not used.")
      .def_readonly("sigma", &Iteration::sigma, "Of a soft method: how wide the weights were.")
      .def_readonly("objective", &Iteration::objective, "Of a soft method: what a better pose makes smaller.")
      .def_property_readonly(
          "transform", [](const Iteration& i) { return matrix_of(i.target_from_source); },
          "The pose this iteration ended with.")
      .def("__repr__",
           [](const Iteration& i) {
             return "<dovetail.Iteration " + std::to_string(i.iteration) + ": rmse " + short_text(i.rmse) + ">";
           })
      .def(py::pickle(&iteration_state, &iteration_from));
  py::class_<WeakDirection>(m, "WeakDirection",
                            "A motion the data hardly constrains: unit length over (rotation about covariance_center × "
                            "extent, shift).")
      .def_property_readonly("rotation", [](const WeakDirection& d) { return array_of(d.rotation); })
      .def_property_readonly("translation", [](const WeakDirection& d) { return array_of(d.translation); })
      .def("__repr__", [](const WeakDirection& d) {
        return "<dovetail.WeakDirection rotation " + short_text(d.rotation) + ", translation " +
               short_text(d.translation) + ">";
      });
}

}  // namespace

void add_registration(py::module_& m) {
  add_rows(m);
  py::class_<Registration, Quality> result(
      m, "Registration", "The transform that brings the source onto the target, and what it is worth.");
  result
      .def_property_readonly(
          "transform", [](const Registration& r) { return matrix_of(r.target_from_source); },
          "target_from_source: the homogeneous matrix, 4x4, or 3x3 in 2D.")
      .def_property_readonly(
          "model", [](const Registration& r) { return std::string(to_string(r.target_from_source.model)); },
          "'rigid3', 'similarity2', ...: what the transform may do.")
      .def_property_readonly(
          "rotation", [](const Registration& r) { return rotation_of(r.target_from_source); },
          "The rotation in the transform: 3x3, or 2x2 in 2D.")
      .def_property_readonly(
          "translation", [](const Registration& r) { return translation_of(r.target_from_source); },
          "Where the transform brings the origin.")
      .def_property_readonly(
          "scale", [](const Registration& r) { return scale_of(r.target_from_source); },
          "The uniform scale in the transform; 1 where it is rigid.")
      .def_property_readonly("usable", &Registration::usable, "Whether to go on with it.")
      .def_readonly("message", &Registration::message, "One sentence for a person.")
      .def_readonly("warnings", &Registration::warnings, "What looks wrong with the input.")
      .def_property_readonly(
          "termination", [](const Registration& r) { return to_string(r.termination); },
          "Why the run ended: 'converged', 'time_limit', ...")
      .def_readonly("method", &Registration::method)
      .def_readonly("machine", &Registration::machine, "'cpu', 'cuda:0', 'reference'.")
      .def_readonly("build", &Registration::build, "What 'the same bits' holds for.")
      .def_readonly("version", &Registration::version)
      .def_readonly("iterations", &Registration::iterations, "Of the answer shown.")
      .def_readonly("source_file", &Registration::source_file, "What the source was read from; empty for arrays.")
      .def_readonly("target_file", &Registration::target_file, "The same of the target.")
      .def_readonly("finished_by", &Registration::finished_by,
                    "What the answer ended with, where that is not the method itself: 'icp', 'likelihood', 'distance'.")
      .def_property_readonly(
          "covariance", [](const Registration& r) { return square_array(r.covariance); },
          "Covariance of a small motion that follows the transform, about covariance_center, or None "
          "(docs/registration_json.md).")
      .def_property_readonly("covariance_center", [](const Registration& r) { return array_of(r.covariance_center); })
      .def_readonly("expected_error", &Registration::expected_error,
                    "How far source points are likely to be off, in the root mean square, or None.")
      .def_readonly("weak_directions", &Registration::weak_directions, "Motions that the data hardly determines.")
      .def_readonly("margin", &Registration::margin, "How clearly it beats the next different answer, 0 to 1, or None.")
      .def_readonly("alternatives", &Registration::alternatives, "Other starts' answers, best first.")
      .def_readonly("trace", &Registration::trace, "A row for every iteration.")
      .def_property_readonly("trace_transforms", &trace_poses,
                             "The poses of the trace as one array: (k, 4, 4) or (k, 3, 3).")
      .def_property_readonly("points", &counts_of, "Points used and left out: 'source', 'target', ...")
      .def_property_readonly("time_ms", &times_of, "Milliseconds: 'read', 'prepare', 'loop', 'total'.")
      .def_property_readonly("options", &options_of, "Every option as it was given.")
      .def_readonly("target_frame", &Registration::target_frame, "Where a target was given in degrees.")
      .def_readonly("source_frame", &Registration::source_frame, "Where a source was given in degrees.")
      .def(
          "apply", [](const Registration& r, const PointsLike& points) { return moved(r.target_from_source, points); },
          py::arg("points"), "The points brought onto the target: an array for an array, a cloud for a cloud.")
      .def(
          "to_json", [](const Registration& r, int indent) { return to_json(r, indent); }, py::arg("indent") = 2,
          "Everything as JSON, schema dovetail.registration/1 (docs/registration_json.md).")
      .def(
          "save", [](const Registration& r, const std::filesystem::path& file) { write_result(file, r); },
          py::arg("file"), "Writes to_json(). The file appears whole or not at all.")
      .def("__repr__", &repr_of)
      .def(
          "_repr_html_", [](const py::object& self) { return html_of(self); }, "What notebooks show.")
      .def(py::pickle(&registration_state, &registration_from));
}

}  // namespace dovetail::python
