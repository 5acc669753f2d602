// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <pybind11/stl.h>

#include "bindings.h"
#include "dovetail/error.h"
#include "dovetail/registration.h"
#include "option_table.h"
#include "points_argument.h"
#include "pose_argument.h"
#include "reference_argument.h"
#include "run_argument.h"

namespace dovetail::python {
namespace {

/// A result without what ends with the call.
Registration told(Registration result) {
  forget_call(result.run);
  for (Registration& other : result.alternatives) forget_call(other.run);
  return result;
}

/// Two clouds with their normals, taken out of the keywords.
struct Clouds {
  Clouds(const PointsLike& from, const PointsLike& to, py::dict& keywords)
      : source(from, "source"), target(to, "target") {
    source.set_normals(take(keywords, "source_normals"), "source_normals");
    target.set_normals(take(keywords, "target_normals"), "target_normals");
  }
  PointsArgument source, target;
};

template <class Options>
Registration align(const PointsLike& source, const PointsLike& target, Options options, py::dict keywords) {
  set_options(options, keywords);
  RunArgument run(keywords);
  Clouds clouds(source, target, keywords);
  expect_empty(keywords);
  return told(
      run([&](const Run& how) { return register_points(clouds.source.view(), clouds.target.view(), options, how); }));
}

Registration gpicp(const PointsLike& source, const PointsLike& target, py::dict keywords) {
  const auto preset = take_as<std::string>(keywords, "preset", "the name of a preset");
  return align(source, target, preset ? gpicp_preset(*preset) : Gpicp{}, keywords);
}

Registration chamfer(const PointsLike& observed, const ReferenceLike& reference, py::dict keywords) {
  Chamfer options;
  set_options(options, keywords);
  ReferenceArgument onto(reference, "reference");
  for (const OptionInfo& info : list_options<FieldOptions>()) {
    if (onto.field() == nullptr || !keywords.contains(info.name.c_str())) continue;
    if (!keywords[info.name.c_str()].is_none()) {
      throw InvalidArgument("option " + info.name +
                            ": the reference is a field that was built already; give it to build_field");
    }
  }
  set_options(options.field, keywords);
  RunArgument run(keywords);
  expect_empty(keywords);
  std::optional<GeoFrame> frame;
  const PointsArgument moving(observed_points(observed, onto.frame(), frame), "observed");
  const PointsView* const points = onto.points();
  const Reference* const prepared = points == nullptr && onto.field() == nullptr ? &onto.reference() : nullptr;
  Registration result = run([&](const Run& how) {
    if (onto.field() != nullptr) return register_points(moving.view(), *onto.field(), options, how);
    if (prepared != nullptr) return register_points(moving.view(), *prepared, options, how);
    return register_points(moving.view(), *points, options, how);
  });
  result.source_frame = frame;
  for (Registration& other : result.alternatives) other.source_frame = frame;
  return told(std::move(result));
}

Registration evaluate(const PointsLike& source, const PointsLike& target, const PoseLike& pose, py::dict keywords) {
  RunArgument run(keywords);
  Clouds clouds(source, target, keywords);
  expect_empty(keywords);
  const Transform target_from_source = pose_from(pose, "pose");
  return told(run([&](const Run& how) {
    return evaluate_pose(clouds.source.view(), clouds.target.view(), target_from_source, how);
  }));
}

}  // namespace

void add_register(py::module_& m) {
  const auto add = [&](const char* name, auto options) {
    m.def(
        name,
        [options](const PointsLike& source, const PointsLike& target, const py::dict& keywords) {
          return align(source, target, options, keywords);
        },
        py::arg("source"), py::arg("target"), py::arg("keywords"));
  };
  add("icp", Icp{});
  add("em_icp", EmIcp{});
  add("softassign", Softassign{});
  m.def("gpicp", &gpicp, py::arg("source"), py::arg("target"), py::arg("keywords"));
  m.def("chamfer", &chamfer, py::arg("observed"), py::arg("reference"), py::arg("keywords"));
  m.def("evaluate", &evaluate, py::arg("source"), py::arg("target"), py::arg("pose"), py::arg("keywords"));
}

}  // namespace dovetail::python
