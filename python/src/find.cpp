// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/find.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <deque>

#include "arrays.h"
#include "bindings.h"
#include "dovetail/error.h"
#include "dovetail/find_parts.h"
#include "dovetail/pose_file.h"
#include "found_state.h"
#include "option_table.h"
#include "points_argument.h"
#include "pose_argument.h"
#include "report.h"
#include "run_argument.h"
#include "shown.h"

namespace dovetail::python {
namespace {

/// Objects by their names, and what has to live while they are looked for.
struct Objects {
  explicit Objects(const py::dict& named) {
    for (const auto& [name, shape] : named) {
      names.push_back(py::str(name));
      const std::string called = "objects['" + names.back() + "']";
      PointsArgument& argument =
          arguments.emplace_back(PointsLike{py::reinterpret_borrow<py::object>(shape)}, called.c_str());
      wanted.push_back({names.back(), &argument.cloud()});
    }
  }
  std::vector<std::string> names;
  std::deque<PointsArgument> arguments;
  std::vector<ObjectToFind> wanted;
};

Box box_from(const py::handle& region) {
  const std::vector<double> n = numbers_from(region, "region");
  if (n.size() != 6)
    throw InvalidArgument("region: " + shown(region) + " is not allowed; allowed: two corners (x, y, z)");
  return {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
}

Found find(const py::dict& objects, const PointsLike& scene, py::dict keywords) {
  Find options;
  set_options(options, keywords);
  if (const py::object region = take(keywords, "region"); !region.is_none()) options.region = box_from(region);
  if (const py::object eye = take(keywords, "viewpoint"); !eye.is_none())
    options.viewpoint = vec3_from(eye, "viewpoint");
  const py::object frame = take(keywords, "frame_from_scene"), on_object = take_callable(keywords, "on_object");
  std::optional<Transform> frame_from_scene;
  if (!frame.is_none()) frame_from_scene = rigid_pose_from({frame}, "frame_from_scene");
  RunArgument run(keywords);
  expect_empty(keywords);
  Objects all(objects);
  PointsArgument in(scene, "scene");
  const PointCloud& cloud = in.cloud();
  std::function<void(const FindProgress&)> on_progress;
  if (!on_object.is_none()) {
    on_progress = [&](const FindProgress& at) {
      run.session().in_python([&] {
        on_object(at);
        return true;
      });
    };
  }
  Found found = run([&](const Run& how) { return find_objects(all.wanted, cloud, options, how, on_progress); });
  if (frame_from_scene) set_frame(found, *frame_from_scene);
  forget_call(found.run);
  return found;
}

PointCloud coloured(const Found& found, const PointsLike& scene, const py::dict& objects) {
  Objects all(objects);
  PointsArgument in(scene, "scene");
  return coloured_scene(found, in.cloud(), all.wanted);
}

std::string repr(const FoundObject& o) {
  return "<dovetail.FoundObject " + o.object + ", confidence " + short_text(o.confidence.value_or(0)) + ">";
}

void add_object(py::module_& m) {
  py::class_<FindProgress>(m, "FindProgress", "How far a search is: what is looked for now.")
      .def_readonly("object", &FindProgress::object)
      .def_readonly("index", &FindProgress::index, "Its number among all.")
      .def_readonly("objects", &FindProgress::objects, "How many there are.")
      .def_readonly("round", &FindProgress::round, "What earlier rounds left unexplained is searched again.")
      .def_readonly("found", &FindProgress::found, "So far.");
  py::class_<FoundObject, Quality>(m, "FoundObject",
                                   "An object that was found; its quality is that of its points on the scene.")
      .def_readonly("object", &FoundObject::object, "Its name.")
      .def_readonly("index", &FoundObject::index, "Among those that were looked for.")
      .def_property_readonly(
          "transform", [](const FoundObject& o) { return matrix_of(o.scene_from_object); }, "scene_from_object, 4x4.")
      .def_property_readonly("rotation", [](const FoundObject& o) { return rotation_of(o.scene_from_object); })
      .def_property_readonly("translation", [](const FoundObject& o) { return translation_of(o.scene_from_object); })
      .def_property_readonly(
          "frame_transform",
          [](const FoundObject& o) {
            return o.frame_from_object ? std::optional(matrix_of(*o.frame_from_object)) : std::nullopt;
          },
          "The pose in the frame that was asked for, or None.")
      .def_readonly("visible_ratio", &FoundObject::visible_ratio, "Share of its surface that the scene shows.")
      .def_readonly("support", &FoundObject::support, "Scene points that it alone explains.")
      .def_property_readonly("covariance", [](const FoundObject& o) { return square_array(o.covariance); })
      .def_property_readonly("covariance_center", [](const FoundObject& o) { return array_of(o.covariance_center); })
      .def_readonly("expected_error", &FoundObject::expected_error)
      .def_readonly("margin", &FoundObject::margin, "How clearly it beats the best other pose, 0 to 1, or None.")
      .def_readonly("rivals", &FoundObject::rivals,
                    "Of find_parts(): other poses that explain much of the same, the most likely first.")
      .def_readonly("image", &FoundObject::image, "Of find_parts(): what the image shows of it; else None.")
      .def(pickled<FoundObject>())
      .def("__repr__", &repr);
}

}  // namespace

void add_find(py::module_& m) {
  add_object(m);
  py::class_<Found>(m, "Found",
                    "What was found in a scene, the most likely first. len(), iteration and [i] are of objects.")
      .def_readonly("objects", &Found::objects)
      .def_readonly("doubtful", &Found::doubtful, "The best of what was not likely enough.")
      .def_readonly("message", &Found::message, "One sentence for a person.")
      .def_readonly("warnings", &Found::warnings, "What looks wrong with the input.")
      .def_readonly("machine", &Found::machine)
      .def_readonly("build", &Found::build)
      .def_readonly("version", &Found::version)
      .def_readonly("stopped", &Found::stopped, "By the time limit or the caller.")
      .def_readonly("scene_points", &Found::scene_points, "That were looked at.")
      .def_readonly("scene_file", &Found::scene_file, "What the scene was read from; empty for arrays.")
      .def_readonly("object_files", &Found::object_files, "The same of the objects.")
      .def_readonly("camera", &Found::camera, "What the image was seen by, of find_parts(); else None.")
      .def_property_readonly(
          "time_ms",
          [](const Found& f) {
            return std::map<std::string, double>{{"read", f.time_ms.read},
                                                 {"prepare", f.time_ms.prepare},
                                                 {"search", f.time_ms.search},
                                                 {"total", f.time_ms.total}};
          },
          "Milliseconds: 'read', 'prepare', 'search', 'total'.")
      .def_property_readonly(
          "options",
          [](const Found& f) {
            py::dict values;
            if (f.part_options) {
              add_values(values, *f.part_options);
            } else {
              add_values(values, f.options);
              add_values(values, f.run);
            }
            return values;
          },
          "Every option as it was given.")
      .def("__len__", [](const Found& f) { return f.objects.size(); })
      .def(
          "__getitem__",
          [](const Found& f, py::ssize_t i) {
            const auto size = static_cast<py::ssize_t>(f.objects.size());
            if (i < 0) i += size;
            if (i < 0 || i >= size) throw py::index_error("there are " + std::to_string(size) + " found objects");
            return f.objects[static_cast<std::size_t>(i)];
          },
          py::arg("index"))
      .def("__iter__", [](const py::object& self) -> py::iterator { return py::iter(self.attr("objects")); })
      .def("coloured_scene", &coloured, py::arg("scene"), py::arg("objects"),
           "The scene's points, what an object (a dict of them by name, in the order that find() had) explains in a "
           "colour "
           "of its own; the attribute 'object' has its number, -1 for the others.")
      .def(
          "to_json", [](const Found& f, int indent) { return to_json(f, indent); }, py::arg("indent") = 2,
          "Everything as JSON, schema dovetail.found/1 (docs/found_json.md).")
      .def(
          "save", [](const Found& f, const std::filesystem::path& file) { write_result(file, f); }, py::arg("file"),
          "Writes to_json(). The file appears whole or not at all.")
      .def(pickled<Found>())
      .def("__repr__", [](const Found& f) { return "<dovetail.Found: " + f.message + ">"; })
      .def(
          "_repr_html_", [](const py::object& self) { return html_of(self); }, "What notebooks show.");
  m.def("find", &find, py::arg("objects"), py::arg("scene"), py::arg("keywords"));
}

}  // namespace dovetail::python
