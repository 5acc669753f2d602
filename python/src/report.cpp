// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "report.h"

#include <cstdio>

namespace dovetail::python {

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string short_text(const Vec3& v) {
  return "(" + short_text(v[0]) + ", " + short_text(v[1]) + ", " + short_text(v[2]) + ")";
}

std::string repr_of(const Registration& r) {
  std::string text = "<dovetail.Registration by " + r.method + (r.usable() ? ", usable" : ", not usable");
  if (r.confidence) text += ", confidence " + short_text(*r.confidence);
  return text + ", rmse " + short_text(r.rmse) + ": " + r.message + ">";
}

std::string html_of(const py::object& result) {
  return py::cast<std::string>(py::module_::import("dovetail._report").attr("html")(result));
}

}  // namespace dovetail::python
