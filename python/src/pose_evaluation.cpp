// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/pose_evaluation.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings.h"
#include "option_table.h"
#include "report.h"
#include "run_argument.h"
#include "state.h"

namespace dovetail::python {

template <>
struct Fields<ThresholdScores> {
  static auto of(auto& s) { return std::tie(s.thresholds, s.scores); }
};
template <>
struct Fields<LocalisationScores::VertexErrors> {
  static auto of(auto& e) { return std::tie(e.share_of_diagonal, e.degrees_about, e.degrees); }
};
template <>
struct Fields<LocalisationScores> {
  static auto of(auto& s) {
    return std::tie(s.targets, s.vsd, s.mssd, s.mspd, s.add_recall, s.adi_recall, s.average_recall, s.vertex_recall,
                    s.vertex_errors);
  }
};
template <>
struct Fields<DetectionScores> {
  static auto of(auto& s) { return std::tie(s.truths, s.mssd, s.mspd, s.mssd_mm); }
};
template <>
struct Fields<BulkScores> {
  static auto of(auto& s) {
    return std::tie(s.truths, s.estimates, s.right, s.recall, s.precision, s.f1, s.average_precision);
  }
};
template <>
struct Fields<PoseScores> {
  static auto of(auto& s) { return std::tie(s.localisation, s.detection, s.bulk); }
};
template <>
inline constexpr bool has_table<PoseEvaluationOptions> = true;
template <>
struct Fields<PoseEvaluationOptions> {
  static auto of(auto&) { return std::tie(); }
};
template <>
struct Fields<PoseEvaluation> {
  static auto of(auto& e) {
    return std::tie(e.all, e.objects, e.bop19, e.bop24, e.bop25, e.bop25_mm, e.results, e.dataset, e.split, e.models,
                    e.notes, e.images, e.estimates, e.estimates_elsewhere, e.seconds_per_image, e.version, e.build,
                    e.options);
  }
};

namespace {

using Path = std::filesystem::path;

PoseEvaluation evaluate(const Path& results, const Path& dataset, py::dict keywords) {
  PoseDataset set;
  set.folder = dataset;
  const auto set_path = [&](const char* name, Path& path) {
    path = take_as<Path>(keywords, name, "the name of a file").value_or(path);
  };
  set_path("targets", set.targets);
  set_path("detection_targets", set.detection_targets);
  set_path("camera", set.camera);
  set.split = take_as<std::string>(keywords, "split", "the name of a folder").value_or(set.split);
  PoseEvaluationOptions options;
  set_options(options, keywords);
  RunArgument run(keywords);
  expect_empty(keywords);
  return run([&](const Run& how) { return evaluate_pose_estimates(results, set, options, how); });
}

void add_scores(py::module_& m) {
  py::class_<ThresholdScores>(m, "ThresholdScores", "A score at each of several thresholds.")
      .def_readonly("thresholds", &ThresholdScores::thresholds)
      .def_readonly("scores", &ThresholdScores::scores)
      .def_property_readonly("mean", &ThresholdScores::mean);
  using Errors = LocalisationScores::VertexErrors;
  py::class_<Errors>(m, "VertexErrors", "Mean errors of what is right.")
      .def_readonly("share_of_diagonal", &Errors::share_of_diagonal)
      .def_readonly("degrees_about", &Errors::degrees_about, "About the camera's x, y and z.")
      .def_readonly("degrees", &Errors::degrees, "Of the whole rotation.");
  py::class_<LocalisationScores>(m, "LocalisationScores", "Of the truths that are targets, which were found.")
      .def_readonly("targets", &LocalisationScores::targets)
      .def_readonly("vsd", &LocalisationScores::vsd)
      .def_readonly("mssd", &LocalisationScores::mssd)
      .def_readonly("mspd", &LocalisationScores::mspd)
      .def_readonly("add_recall", &LocalisationScores::add_recall)
      .def_readonly("adi_recall", &LocalisationScores::adi_recall)
      .def_readonly("average_recall", &LocalisationScores::average_recall, "BOP19's AR; None without VSD.")
      .def_readonly("vertex_recall", &LocalisationScores::vertex_recall)
      .def_readonly("vertex_errors", &LocalisationScores::vertex_errors);
  py::class_<DetectionScores>(m, "DetectionScores", "Average precision over all images.")
      .def_readonly("truths", &DetectionScores::truths)
      .def_readonly("mssd", &DetectionScores::mssd)
      .def_readonly("mspd", &DetectionScores::mspd)
      .def_readonly("mssd_mm", &DetectionScores::mssd_mm);
  py::class_<BulkScores>(m, "BulkScores", "Parts in bulk: recall, precision, F1 and average precision.")
      .def_readonly("truths", &BulkScores::truths)
      .def_readonly("estimates", &BulkScores::estimates)
      .def_readonly("right", &BulkScores::right)
      .def_readonly("recall", &BulkScores::recall)
      .def_readonly("precision", &BulkScores::precision)
      .def_readonly("f1", &BulkScores::f1)
      .def_readonly("average_precision", &BulkScores::average_precision);
  py::class_<PoseScores>(m, "PoseScores", "The scores of one object, or of all.")
      .def_readonly("localisation", &PoseScores::localisation)
      .def_readonly("detection", &PoseScores::detection)
      .def_readonly("bulk", &PoseScores::bulk)
      .def(pickled<PoseScores>());
}

}  // namespace

void add_pose_evaluation(py::module_& m) {
  add_scores(m);
  py::class_<PoseEvaluation>(m, "PoseEvaluation", "What estimated poses are worth (docs/pose_evaluation.md).")
      .def_readonly("all", &PoseEvaluation::all)
      .def_readonly("objects", &PoseEvaluation::objects, "By their ids.")
      .def_readonly("bop19", &PoseEvaluation::bop19, "BOP19's average recall, or None.")
      .def_readonly("bop24", &PoseEvaluation::bop24, "BOP24's mean average precision, or None.")
      .def_readonly("bop25", &PoseEvaluation::bop25)
      .def_readonly("bop25_mm", &PoseEvaluation::bop25_mm)
      .def_readonly("notes", &PoseEvaluation::notes, "What was not there and what was done instead.")
      .def_readonly("images", &PoseEvaluation::images)
      .def_readonly("estimates", &PoseEvaluation::estimates)
      .def_readonly("estimates_elsewhere", &PoseEvaluation::estimates_elsewhere)
      .def_readonly("seconds_per_image", &PoseEvaluation::seconds_per_image)
      .def_readonly("version", &PoseEvaluation::version)
      .def(
          "to_json", [](const PoseEvaluation& e, int indent) { return to_json(e, indent); }, py::arg("indent") = 2,
          "Everything as JSON, schema dovetail.pose_evaluation/1.")
      .def(
          "save", [](const PoseEvaluation& e, const Path& file) { write_pose_evaluation(file, e); }, py::arg("file"),
          "Writes to_json(). The file appears whole or not at all.")
      .def(pickled<PoseEvaluation>())
      .def("__repr__",
           [](const PoseEvaluation& e) {
             return "<dovetail.PoseEvaluation of " + std::to_string(e.estimates) + " estimates in " +
                    std::to_string(e.images) + " images" + (e.bop19 ? ", BOP19 " + short_text(*e.bop19) : "") + ">";
           })
      .def(
          "_repr_html_", [](const py::object& self) { return html_of(self); }, "What notebooks show.");
  m.def("evaluate_poses", &evaluate, py::arg("results"), py::arg("dataset"), py::arg("keywords"));
}

}  // namespace dovetail::python
