// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/find_parts.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings.h"
#include "file_argument.h"
#include "find_parts_argument.h"
#include "option_table.h"
#include "range_image.h"
#include "report.h"
#include "session.h"
#include "shown.h"
#include "work_argument.h"

namespace dovetail::python {
namespace {

using Path = std::filesystem::path;

PoseDatabase database_from(const py::object& poses) {
  if (is_file(poses)) return PoseDatabase::load(poses.cast<Path>());
  if (py::isinstance<PoseDatabase>(poses)) return poses.cast<PoseDatabase>();
  throw py::type_error("poses: " + shown(poses) + " is not allowed; allowed: a PoseDatabase or its file");
}

Found find_in_image(const py::object& image, const py::object& poses, py::dict keywords) {
  FindPartsArgument search(keywords);
  const py::object camera = take(keywords, "camera");
  const double unit = take_as<double>(keywords, "depth_unit", "millimetres").value_or(0);
  WorkArgument work(keywords);
  const RangeImage seen = range_image_from(image, camera, unit);
  search.take_place(keywords, seen.camera);
  expect_empty(keywords);
  const PoseDatabase database = database_from(poses);
  Found found = work([&](const Work& how) {
    return search([&](const FindParts& options) { return find_parts(seen, database, options, how); });
  });
  forget_call(found);
  found.camera = seen.camera;
  found.depth_unit = unit;
  if (is_file(image)) found.scene_file = image.cast<Path>().string();
  if (is_file(poses)) found.object_files = {poses.cast<Path>().string()};
  return found;
}

DatasetParts find_in_dataset(const Path& dataset, const py::object& poses, const Path& results, py::dict keywords) {
  FindPartsArgument search(keywords);
  PoseDataset set;
  set.folder = dataset;
  set.split = take_as<std::string>(keywords, "split", "the name of a folder").value_or(set.split);
  set.targets = take_as<Path>(keywords, "targets", "the name of a file").value_or(set.targets);
  set.detection_targets =
      take_as<Path>(keywords, "detection_targets", "the name of a file").value_or(set.detection_targets);
  WorkArgument work(keywords);
  expect_empty(keywords);
  const PoseDatabase database = database_from(poses);
  return work([&](const Work& how) {
    return search(
        [&](const FindParts& options) { return find_parts_in_dataset(set, database, results, options, how); });
  });
}

void write_picture(const Path& file, const Found& found, const py::object& image, const py::object& poses) {
  const RangeImage seen = range_image_of_search(image, found);
  const PoseDatabase database = database_from(poses);
  without_gil([&] {
    write_found_picture(file, seen, database, found);
    return 0;
  });
}

void write_results(const Path& file, const Found& found, const Path& image, const py::object& poses) {
  write_found_results(file, image, database_from(poses), found);
}

}  // namespace

void add_find_parts(py::module_& m) {
  py::class_<DatasetParts>(m, "DatasetParts", "What a search of a whole data set gave.")
      .def_readonly("images", &DatasetParts::images)
      .def_readonly("parts", &DatasetParts::parts, "Found, in all images.")
      .def_readonly("mean_seconds", &DatasetParts::mean_seconds, "Per image, files read.")
      .def_readonly("warnings", &DatasetParts::warnings, "Of parts whose object of the data set is not certain.")
      .def("__repr__", [](const DatasetParts& d) {
        return "<dovetail.DatasetParts: " + std::to_string(d.parts) + " parts in " + std::to_string(d.images) +
               " images, " + short_text(d.mean_seconds) + " s each>";
      });
  m.def("find_parts", &find_in_image, py::arg("image"), py::arg("poses"), py::arg("keywords"));
  m.def("find_parts_in_dataset", &find_in_dataset, py::arg("dataset"), py::arg("poses"), py::arg("results"),
        py::arg("keywords"));
  m.def("write_found_picture", &write_picture, py::arg("file"), py::arg("found"), py::arg("image"), py::arg("poses"));
  m.def("write_found_results", &write_results, py::arg("file"), py::arg("found"), py::arg("image"), py::arg("poses"));
}

}  // namespace dovetail::python
