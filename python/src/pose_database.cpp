// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/pose_database.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <deque>
#include <limits>

#include "arrays.h"
#include "bindings.h"
#include "dovetail/error.h"
#include "option_table.h"
#include "points_argument.h"
#include "report.h"
#include "work_argument.h"

namespace dovetail::python {
namespace {

/// The references of one part, and the database whose memory they are in.
struct DatabasePart {
  PoseDatabase database;
  std::size_t index;
  const PoseReferences& get() const { return database.parts()[index]; }
};

std::vector<DatabasePart> parts_of(const PoseDatabase& database) {
  std::vector<DatabasePart> parts;
  for (std::size_t i = 0; i < database.parts().size(); ++i) parts.push_back({database, i});
  return parts;
}

py::array_t<double> orientations_of(const DatabasePart& part) {
  const auto& references = part.get().references;
  py::array_t<double> all({static_cast<py::ssize_t>(references.size()), py::ssize_t{4}});
  double* at = all.mutable_data();
  for (const PoseReference& r : references) at = std::copy(std::begin(r.orientation), std::end(r.orientation), at);
  return all;
}

py::array_t<float> shares_of(const DatabasePart& part) {
  const auto& references = part.get().references;
  py::array_t<float> all(static_cast<py::ssize_t>(references.size()));
  float* at = all.mutable_data();
  for (const PoseReference& r : references) *at++ = r.share;
  return all;
}

/// An image of numbers made of a reference's pixels.
template <class F>
py::array_t<float> image_of(const DatabasePart& part, std::size_t reference, F&& number) {
  const PoseReferences& references = part.get();
  if (reference >= references.references.size()) {
    throw py::index_error("there are " + std::to_string(references.references.size()) + " references");
  }
  py::array_t<float> image({references.image_size, references.image_size});
  float* at = image.mutable_data();
  for (const ReferencePixel p : references.image(reference)) *at++ = static_cast<float>(number(references, p));
  return image;
}

/// Rotations (k, 3, 3).
std::vector<Mat3> rotations_from(const py::handle& value, const std::string& name) {
  const auto numbers = DoubleArray::ensure(value);
  if (!numbers || numbers.ndim() != 3 || numbers.shape(1) != 3 || numbers.shape(2) != 3) {
    throw InvalidArgument("resting['" + name + "']: rotations are an array (k, 3, 3)");
  }
  const auto rotation = numbers.unchecked<3>();
  std::vector<Mat3> all(static_cast<std::size_t>(rotation.shape(0)));
  for (py::ssize_t k = 0; k < rotation.shape(0); ++k) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) all[static_cast<std::size_t>(k)](i, j) = rotation(k, i, j);
    }
  }
  return all;
}

/// `parts` are tuples: name, surface, symmetry or None, rotations or None.
PoseDatabase build(const py::list& parts, py::dict keywords) {
  PoseDatabaseOptions options;
  set_options(options, keywords);
  WorkArgument work(keywords);
  expect_empty(keywords);
  std::deque<PointsArgument> surfaces;
  std::vector<PosePart> wanted;
  for (const py::handle given : parts) {
    const auto part = py::reinterpret_borrow<py::tuple>(given);
    PosePart& one = wanted.emplace_back();
    one.name = py::str(part[0]);
    one.surface = &surfaces.emplace_back(PointsLike{part[1]}, ("parts['" + one.name + "']").c_str()).cloud();
    if (!part[2].is_none()) one.symmetry = part[2].cast<Symmetry>();
    if (!part[3].is_none()) one.resting = rotations_from(part[3], one.name);
  }
  return work([&](const Work& how) { return build_pose_database(wanted, options, how); });
}

void add_part(py::module_& m) {
  py::class_<DatabasePart>(m, "PoseReferences", "The views of one part of a pose database.")
      .def_property_readonly("name", [](const DatabasePart& p) { return p.get().name; })
      .def_property_readonly("symmetry", [](const DatabasePart& p) { return p.get().symmetry; })
      .def_property_readonly(
          "center", [](const DatabasePart& p) { return array_of(p.get().center); },
          "Of the sphere that holds the part, mm.")
      .def_property_readonly(
          "radius", [](const DatabasePart& p) { return p.get().radius; }, "Of that sphere, mm.")
      .def_property_readonly(
          "pixel", [](const DatabasePart& p) { return p.get().pixel; }, "Side of a pixel, mm.")
      .def_property_readonly(
          "image_size", [](const DatabasePart& p) { return p.get().image_size; }, "In pixels, width and height.")
      .def_property_readonly(
          "sampling", [](const DatabasePart& p) { return to_string(p.get().sampling); }, "'adaptive' or 'uniform'.")
      .def_property_readonly(
          "cover_median", [](const DatabasePart& p) { return p.get().cover_median; },
          "Degrees from an orientation that was not used to the nearest reference, in the median.")
      .def_property_readonly(
          "cover_95", [](const DatabasePart& p) { return p.get().cover_95; }, "What 95% of them are below.")
      .def_property_readonly(
          "resting", [](const DatabasePart& p) { return p.get().resting; },
          "Resting poses that adaptive sampling followed.")
      .def_property_readonly("orientations", &orientations_of,
                             "camera_from_part as unit quaternions (w, x, y, z), one for each reference.")
      .def_property_readonly("shares", &shares_of, "Of the parts that lie nearest to each reference's orientation.")
      .def_property_readonly(
          "mesh", [](const DatabasePart& p) { return part_surface(p.get()); }, "The part's surface, mm.")
      .def(
          "image",
          [](const DatabasePart& p, std::size_t reference) {
            return image_of(p, reference, [](const PoseReferences& r, ReferencePixel pixel) {
              return pixel.depth == 0 ? std::numeric_limits<double>::quiet_NaN() : r.depth(pixel);
            });
          },
          py::arg("reference"), "Depth about the centre in mm, (size, size); NaN where nothing is seen.")
      .def(
          "edge_distances",
          [](const DatabasePart& p, std::size_t reference) {
            return image_of(p, reference, [](const PoseReferences& r, ReferencePixel pixel) {
              return pixel.distance * r.distance_step;
            });
          },
          py::arg("reference"), "Pixels to the nearest edge, (size, size); negative off the part.")
      .def("__len__", [](const DatabasePart& p) { return p.get().references.size(); })
      .def("__repr__", [](const DatabasePart& p) {
        const PoseReferences& r = p.get();
        return "<dovetail.PoseReferences of " + r.name + ": " + std::to_string(r.references.size()) + " views of " +
               std::to_string(r.image_size) + " x " + std::to_string(r.image_size) + " pixels of " +
               short_text(r.pixel) + " mm>";
      });
}

}  // namespace

void add_pose_database(py::module_& m) {
  add_part(m);
  py::class_<PoseDatabase>(m, "PoseDatabase", "The views by which parts are found in range images.")
      .def_property_readonly("parts", &parts_of)
      .def_property_readonly("references", &PoseDatabase::references, "Views of all parts.")
      .def_property_readonly(
          "bytes", [](const PoseDatabase& d) { return d.bytes().size(); }, "Size of its file.")
      .def("save", &PoseDatabase::save, py::arg("file"), "The file appears whole or not at all.")
      .def("__len__", [](const PoseDatabase& d) { return d.parts().size(); })
      .def("__repr__",
           [](const PoseDatabase& d) {
             std::string names;
             for (const PoseReferences& part : d.parts()) names += (names.empty() ? "" : ", ") + part.name;
             return "<dovetail.PoseDatabase of " + names + ": " + std::to_string(d.references()) + " views>";
           })
      .def(
          "_repr_html_", [](const py::object& self) { return html_of(self); }, "What notebooks show.")
      .def(py::pickle([](const PoseDatabase& d) { return py::bytes(d.bytes().data(), d.bytes().size()); },
                      [](const py::bytes& bytes) { return PoseDatabase::read("pickle", std::string_view(bytes)); }));
  m.def("load_pose_database", &PoseDatabase::load, py::arg("file"),
        "Maps a file that `dovetail pose build` or PoseDatabase.save() wrote.");
  m.def("build_pose_database", &build, py::arg("parts"), py::arg("keywords"));
}

}  // namespace dovetail::python
