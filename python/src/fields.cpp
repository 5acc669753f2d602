// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "arrays.h"
#include "bindings.h"
#include "cloud_parts.h"
#include "dovetail/distance_field.h"
#include "dovetail/error.h"
#include "file_argument.h"
#include "option_table.h"
#include "points_argument.h"
#include "reference_argument.h"
#include "report.h"
#include "run_argument.h"

namespace dovetail::python {
namespace {

using Path = std::filesystem::path;

Reference make_reference(const PointsLike& points,
                         const std::optional<std::vector<std::vector<std::uint32_t>>>& lines) {
  PointsArgument argument(points, "points");
  Reference reference;
  reference.points = argument.cloud();
  for (const std::vector<std::uint32_t>& line : lines.value_or(std::vector<std::vector<std::uint32_t>>{})) {
    for (const std::uint32_t vertex : line) {
      if (vertex >= reference.points.size()) {
        throw InvalidArgument("lines: vertex " + std::to_string(vertex) + " is none of the " +
                              std::to_string(reference.points.size()) + " points, which count from 0");
      }
    }
    reference.lines.index.insert(reference.lines.index.end(), line.begin(), line.end());
    reference.lines.start.push_back(static_cast<std::uint32_t>(reference.lines.index.size()));
  }
  return reference;
}

Reference read(const Path& file, const std::optional<GeoFrame>& frame, int threshold, bool dark,
               const std::string& layer, const std::string& where) {
  ReferenceOptions options;
  options.frame = frame;
  options.threshold = threshold;
  options.dark = dark;
  options.layer = layer;
  options.where = where;
  options.planar_too = frame.has_value();
  return without_gil([&] { return read_reference(file, options); });
}

std::vector<std::vector<std::uint32_t>> lines_of(const Reference& reference) {
  std::vector<std::vector<std::uint32_t>> lines;
  const Faces& all = reference.lines;
  for (std::size_t i = 0; i < all.size(); ++i) {
    lines.emplace_back(all.index.begin() + all.start[i], all.index.begin() + all.start[i + 1]);
  }
  return lines;
}

DistanceField build(const ReferenceLike& reference, py::dict keywords) {
  FieldOptions options;
  set_options(options, keywords);
  RunArgument run(keywords);
  expect_empty(keywords);
  ReferenceArgument argument(reference, "reference");
  if (argument.field()) throw InvalidArgument("reference: it is a field already");
  DistanceField field = run([&](const Run& how) { return build_field(argument.reference(), options, how); });
  if (is_file(reference.object)) {
    field.set_source(reference.object.cast<Path>().string());
  }
  return field;
}

void add_reference(py::module_& m) {
  py::class_<Reference>(m, "Reference", "What observed points are aligned to: points, lines, the surface of a mesh.")
      .def(py::init(&make_reference), py::arg("points"), py::arg("lines") = py::none(),
           "Copies points (or a mesh) and polylines, each a list of indices of points; a closed one ends with its "
           "first.")
      .def_readonly("points", &Reference::points, "All vertices, as a PointCloud.")
      .def_property_readonly("lines", &lines_of, "Polylines, each a list of indices of points.")
      .def_readonly("frame", &Reference::frame, "Where longitudes and latitudes were projected, or None.")
      .def_property_readonly(
          "length", [](const Reference& r) { return measure_reference(r).length; }, "Of all lines.")
      .def_property_readonly(
          "area", [](const Reference& r) { return measure_reference(r).area; }, "Of all faces.")
      .def(
          "sample",
          [](const Reference& r, double spacing) { return without_gil([&] { return sample_reference(r, spacing); }); },
          py::arg("spacing"), "The reference as points no farther apart than this, with normals.")
      .def("__repr__", [](const Reference& r) {
        return "<dovetail.Reference of " + std::to_string(r.points.size()) + " points, " +
               std::to_string(r.lines.size()) + " lines, " + std::to_string(r.points.faces.size()) + " faces>";
      });
  m.def(
      "read_reference", &read, py::arg("file"), py::kw_only(), py::arg("frame") = py::none(),
      py::arg("threshold") = 128, py::arg("dark") = false, py::arg("layer") = "", py::arg("where") = "",
      "Reads what points may be aligned to: GeoJSON, a PNG image (pixels at least as bright as threshold, or darker), "
      "through GDAL OpenStreetMap, Shapefile and others (layer, where), and every point or mesh file. Longitudes and "
      "latitudes are projected into the frame, or into one about the middle of the data.");
}

}  // namespace

void add_fields(py::module_& m) {
  add_reference(m);
  py::class_<DistanceField>(m, "DistanceField",
                            "A reference prepared for chamfer alignment: build it once, align many observations to it.")
      .def_property_readonly("dimension", &DistanceField::dimension)
      .def_property_readonly("cell", &DistanceField::cell, "Side of the finest cells.")
      .def_property_readonly(
          "low", [](const DistanceField& f) { return array_of(f.low()); }, "Corner of the domain.")
      .def_property_readonly(
          "high", [](const DistanceField& f) { return array_of(f.high()); }, "Opposite corner.")
      .def_property_readonly("banded", &DistanceField::banded, "Whether only cells near the reference are kept.")
      .def_property_readonly("reach", &DistanceField::reach,
                             "Distance up to which the finest cells know the reference.")
      .def_property_readonly("points", &DistanceField::points, "Number of points, lines and surfaces sampled.")
      .def_property_readonly("cells", &DistanceField::cells, "Number kept, over all resolutions.")
      .def_property_readonly("bytes", &DistanceField::bytes, "Of memory.")
      .def_property_readonly(
          "frame", [](const DistanceField& f) { return f.frame(); },
          "Where the reference was given in degrees, or None.")
      .def_property_readonly(
          "source", [](const DistanceField& f) { return f.source(); }, "The file it was made from.")
      .def(
          "save",
          [](const DistanceField& field, const Path& file) { without_gil([&] { return save_field(file, field), 0; }); },
          py::arg("file"), "Keeps the field in a file, for load_field().")
      .def("__repr__", [](const DistanceField& f) {
        return "<dovetail.DistanceField in " + std::to_string(f.dimension()) + "D of " + std::to_string(f.points()) +
               " points, cells of " + short_text(f.cell()) + ">";
      });
  m.def(
      "load_field", [](const Path& file) { return without_gil([&] { return load_field(file); }); }, py::arg("file"),
      "Reads a field that was saved.");
  m.def("build_field", &build, py::arg("reference"), py::arg("keywords"));
}

}  // namespace dovetail::python
