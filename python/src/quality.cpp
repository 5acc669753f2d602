// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <pybind11/stl.h>

#include "bindings.h"
#include "dovetail/registration.h"

namespace dovetail::python {

void add_quality(py::module_& m) {
  py::class_<Quality>(m, "Quality", "How well a transform fits. Lengths are in the points' units.")
      .def_readonly("rmse", &Quality::rmse, "Root mean square distance of the inliers.")
      .def_readonly("inlier_distance", &Quality::inlier_distance, "The distance up to which a point is an inlier.")
      .def_readonly("inlier_ratio", &Quality::inlier_ratio, "Inliers as a share of the source points.")
      .def_readonly("overlap", &Quality::overlap,
                    "Share of the source points with a target point within three target spacings.")
      .def_readonly("score", &Quality::score, "How well the surfaces agree, 0 to 1.")
      .def_readonly("confidence", &Quality::confidence,
                    "The probability that the answer is right; None where nothing tells.")
      .def_property_readonly(
          "evidence",
          [](const Quality& quality) {
            std::map<std::string, double> evidence;
            for (const Evidence& e : quality.evidence) evidence[e.name] = e.value;
            return evidence;
          },
          "What the confidence comes from, by name (docs/confidence.md).")
      .def_readonly("log_odds", &Quality::log_odds, "Logarithm of the odds of being right; ranks answers.");
}

}  // namespace dovetail::python
