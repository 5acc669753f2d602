// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <deque>

#include "bindings.h"
#include "dovetail/distance_field.h"
#include "dovetail/error.h"
#include "dovetail/pose_database.h"
#include "dovetail/pose_evaluation.h"
#include "dovetail/report.h"
#include "points_argument.h"
#include "range_image.h"
#include "reference_argument.h"
#include "session.h"

namespace dovetail::python {
namespace {

using Notes = std::vector<std::string>;

/// Runs on their way to a page. What they were made of is read when one is added, and not kept.
class Page {
 public:
  Page(std::optional<std::size_t> points, std::size_t runs)
      : report_({points.value_or(ReportOptions::all)}, std::max<std::size_t>(1, runs)) {
    if (points && *points == 0) throw InvalidArgument("points: 0 is not allowed; allowed: 1 or more, or None for all");
  }

  void add_registration(const Registration& result, const std::string& name, const py::object& source,
                        const py::object& target, const Notes& notes) {
    std::optional<PointsArgument> moving;
    std::optional<ReferenceArgument> onto;
    std::optional<Reference> of_field;
    const Reference* fixed = nullptr;
    std::optional<GeoFrame> frame;
    if (!target.is_none()) {
      onto.emplace(ReferenceLike{target}, "target");
      if (onto->field()) of_field = Reference{reference_points(*onto->field()), {}, {}};
      fixed = of_field ? &*of_field : &onto->reference();
    }
    if (!source.is_none()) {
      moving.emplace(observed_points({source}, onto ? onto->frame() : std::nullopt, frame), "source");
    }
    add(ReportedRegistration{name, to_json(result), moving ? &moving->cloud() : nullptr, fixed, notes});
  }

  void add_search(const Found& found, const std::string& name, const py::object& scene, const py::dict& objects,
                  const Notes& notes) {
    std::deque<PointsArgument> shapes;
    std::vector<ObjectToFind> wanted;
    for (const auto& [object, shape] : objects) {
      wanted.push_back({py::str(object), &shapes.emplace_back(points_like(shape), "objects").cloud()});
    }
    std::optional<PointsArgument> in;
    if (!scene.is_none()) in.emplace(PointsLike{scene}, "scene");
    add(ReportedSearch{name, to_json(found), in ? &in->cloud() : nullptr, wanted, notes});
  }

  void add_parts(const Found& found, const std::string& name, const py::object& image, const PoseDatabase* database,
                 const Notes& notes) {
    std::optional<RangeImage> seen;
    if (!image.is_none()) seen = range_image_of_search(image, found);
    std::deque<PointCloud> surfaces;
    std::vector<ObjectToFind> parts;
    if (database) {
      for (const PoseReferences& part : database->parts()) {
        parts.push_back({part.name, &surfaces.emplace_back(part_surface(part))});
      }
    }
    add(ReportedSearch{name, to_json(found), nullptr, parts, notes, seen ? &*seen : nullptr});
  }

  void add_symmetry(const Symmetry& symmetry, const std::string& name, const py::object& part, const Notes& notes) {
    std::optional<PointsArgument> shape;
    if (!part.is_none()) shape.emplace(PointsLike{part}, "part");
    add(ReportedSymmetry{name, to_json(symmetry), shape ? &shape->cloud() : nullptr, notes});
  }

  void add_scores(const PoseEvaluation& scores, const std::string& name, const Notes& notes) {
    add(ReportedScores{name, to_json(scores), notes});
  }

  void write(const std::filesystem::path& file) const {
    without_gil([&] {
      report_.write(file);
      return 0;
    });
  }

  std::string html() const {
    return without_gil([&] { return report_.html(); });
  }

 private:
  static PointsLike points_like(const py::handle& shape) { return {py::reinterpret_borrow<py::object>(shape)}; }

  template <class Run>
  void add(const Run& run) {
    without_gil([&] {
      report_.add(run);
      return 0;
    });
  }

  Report report_;
};

}  // namespace

void add_report(py::module_& m) {
  m.def("report_available", &report_available, "Whether the page of reports is in this build.");
  py::class_<Page>(m, "Page", "Runs on their way to a page; dovetail.Report is what to use.")
      .def(py::init<std::optional<std::size_t>, std::size_t>(), py::arg("points"), py::arg("runs"))
      .def("add_registration", &Page::add_registration, py::arg("result"), py::arg("name"), py::arg("source"),
           py::arg("target"), py::arg("notes"))
      .def("add_search", &Page::add_search, py::arg("found"), py::arg("name"), py::arg("scene"), py::arg("objects"),
           py::arg("notes"))
      .def("add_parts", &Page::add_parts, py::arg("found"), py::arg("name"), py::arg("image"), py::arg("database"),
           py::arg("notes"))
      .def("add_symmetry", &Page::add_symmetry, py::arg("symmetry"), py::arg("name"), py::arg("part"), py::arg("notes"))
      .def("add_scores", &Page::add_scores, py::arg("scores"), py::arg("name"), py::arg("notes"))
      .def("write", &Page::write, py::arg("file"))
      .def("html", &Page::html);
}

}  // namespace dovetail::python
