// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <pybind11/stl.h>

#include "arrays.h"
#include "bindings.h"
#include "dovetail/find.h"
#include "found_state.h"
#include "report.h"

namespace dovetail::python {
namespace {

using Line = std::pair<DoubleArray, DoubleArray>;

std::optional<Line> turns_about(const SeenInImage& seen) {
  if (!seen.turns_about) return std::nullopt;
  return Line{array_of(seen.turns_about->through), array_of(seen.turns_about->direction)};
}

std::map<std::string, double> evidence_of(const FoundRival& rival) {
  std::map<std::string, double> evidence;
  for (const Evidence& e : rival.evidence) evidence[e.name] = e.value;
  return evidence;
}

}  // namespace

void add_seen_in_image(py::module_& m) {
  py::class_<FoundRival>(m, "FoundRival", "Another pose, of the same part or another, that explains much of the same.")
      .def_readonly("object", &FoundRival::object, "Its name.")
      .def_readonly("index", &FoundRival::index, "Among those that were looked for.")
      .def_property_readonly(
          "transform", [](const FoundRival& r) { return matrix_of(r.scene_from_object); }, "scene_from_object, 4x4.")
      .def_readonly("log_odds", &FoundRival::log_odds, "Logarithm of the odds of being right, by its evidence alone.")
      .def_readonly("share", &FoundRival::share, "Of what the part explains that it explains too.")
      .def_readonly("worse", &FoundRival::worse, "How much worse it fits where both are seen; 0: alike.")
      .def_property_readonly("evidence", &evidence_of, "By name (docs/pose_find.md).")
      .def(pickled<FoundRival>())
      .def("__repr__", [](const FoundRival& r) {
        return "<dovetail.FoundRival " + r.object + ", explains " + short_text(r.share) + " of the same>";
      });
  py::class_<SeenInImage>(m, "SeenInImage", "What an image shows of a part, in pixels.")
      .def_readonly("pixels", &SeenInImage::pixels, "That the part would have alone.")
      .def_readonly("explained", &SeenInImage::explained, "Where it is seen.")
      .def_readonly("hidden", &SeenInImage::hidden, "Where something is before it.")
      .def_readonly("contradicted", &SeenInImage::contradicted, "Where something farther away is seen.")
      .def_readonly("unknown", &SeenInImage::unknown, "Where nothing was measured.")
      .def_readonly("on_top", &SeenInImage::on_top, "No other found part hides any of it.")
      .def_readonly("covered_by", &SeenInImage::covered_by, "Which found parts hide some of it, what hides most first.")
      .def_property_readonly(
          "equivalents", [](const SeenInImage& s) { return matrices_of(s.equivalents); },
          "The other poses that look the same, scene_from_object (k, 4, 4).")
      .def_property_readonly("turns_about", &turns_about,
                             "Parts that turn freely: a point of the line and its direction; else None.")
      .def(pickled<SeenInImage>())
      .def("__repr__", [](const SeenInImage& s) {
        return "<dovetail.SeenInImage: " + std::to_string(s.explained) + " of " + std::to_string(s.pixels) + " pixels" +
               (s.on_top ? ", on top>" : ">");
      });
}

}  // namespace dovetail::python
