// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/bins.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <deque>

#include "arrays.h"
#include "bindings.h"
#include "camera.h"
#include "dovetail/bin_images.h"
#include "option_table.h"
#include "points_argument.h"
#include "work_argument.h"

namespace dovetail::python {
namespace {

/// Parts and how many of each, from lists of equal length.
struct Parts {
  Parts(const py::list& meshes, const std::vector<int>& counts) {
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      const std::string name = "parts[" + std::to_string(i) + "]";
      PointsArgument& argument = arguments.emplace_back(PointsLike{meshes[i]}, name.c_str());
      wanted.push_back({&argument.cloud(), counts.at(i)});
    }
  }
  std::deque<PointsArgument> arguments;
  std::vector<BinPart> wanted;
};

std::uint64_t take_seed(py::dict& keywords) {
  return take_as<std::uint64_t>(keywords, "seed", "a whole number, 0 to 2^64 - 1").value_or(0);
}

std::vector<Bin> simulate(const py::list& meshes, const std::vector<int>& counts, int bins, py::dict keywords) {
  BinOptions options;
  set_options(options, keywords);
  const std::uint64_t seed = take_seed(keywords);
  WorkArgument work(keywords);
  expect_empty(keywords);
  const Parts parts(meshes, counts);
  return work([&](const Work& how) { return simulate_bins(parts.wanted, bins, options, seed, how); });
}

BinDataset write(const std::filesystem::path& folder, const py::list& meshes, const std::vector<int>& counts,
                 py::dict keywords) {
  BinOptions options;
  BinImages images;
  DepthSensor sensor;
  set_options(options, keywords);
  set_options(images, keywords);
  set_options(sensor, keywords);
  const std::optional<DepthCamera> camera = camera_from(take(keywords, "camera"));
  const std::uint64_t seed = take_seed(keywords);
  WorkArgument work(keywords);
  expect_empty(keywords);
  const Parts parts(meshes, counts);
  return work([&](const Work& how) {
    return write_bin_dataset(folder, parts.wanted, images, options, sensor, camera, seed, how);
  });
}

void add_bin(py::module_& m) {
  py::class_<RestingPart>(m, "RestingPart", "A part at rest in a bin.")
      .def_readonly("part", &RestingPart::part, "Its number among the parts that were given.")
      .def_property_readonly(
          "transform", [](const RestingPart& p) { return matrix_of(p.scene_from_part); },
          "scene_from_part, 4x4: the origin in the middle of the floor, z upwards.");
  py::class_<BinContact>(m, "BinContact", "Two bodies that touch, or nearly so.")
      .def_readonly("first", &BinContact::first, "Number of the resting part.")
      .def_readonly("second", &BinContact::second, "Number of another one, or -1 for the bin.")
      .def_readonly("depth", &BinContact::depth,
                    "How deep one is in the other, as a share of the smaller one's diameter.");
  py::class_<Bin>(m, "Bin", "What came to rest in a bin.")
      .def_readonly("length", &Bin::length, "Inner size along x.")
      .def_readonly("width", &Bin::width, "Along y.")
      .def_readonly("height", &Bin::height, "Of the walls; 0 of a plane.")
      .def_readonly("wall", &Bin::wall, "Thickness of the walls; 0 of a plane.")
      .def_readonly("parts", &Bin::parts, "In the order in which they were dropped.")
      .def_readonly("contacts", &Bin::contacts)
      .def_readonly("deepest", &Bin::deepest, "The largest depth of all contacts.")
      .def_readonly("dropped", &Bin::dropped, "Parts that were let go.")
      .def_readonly("fell_out", &Bin::fell_out, "Those that went over the walls.")
      .def_readonly("too_deep", &Bin::too_deep, "Those that were taken out for max_penetration.")
      .def_readonly("restless", &Bin::restless, "Those that never came to rest; taken out as well.")
      .def_readonly("at_rest", &Bin::at_rest, "All that are left are at rest.")
      .def_readonly("steps", &Bin::steps, "Of the simulation.")
      .def_readonly("seed", &Bin::seed)
      .def("mesh", &bin_mesh, "Floor and walls as a mesh in the scene's frame.")
      .def("__repr__", [](const Bin& b) {
        return "<dovetail.Bin with " + std::to_string(b.parts.size()) + " of " + std::to_string(b.dropped) + " parts" +
               (b.at_rest ? " at rest>" : ", not at rest>");
      });
}

}  // namespace

void add_bins(py::module_& m) {
  add_bin(m);
  py::class_<BinDataset>(m, "BinDataset", "What write_bins() wrote.")
      .def_readonly("bins", &BinDataset::bins, "One of each image, in millimetres.")
      .def_readonly("camera", &BinDataset::camera)
      .def_readonly("distance", &BinDataset::distance, "From the camera to the middle of the bin, of the first image.")
      .def_readonly("instances", &BinDataset::instances, "In all images.")
      .def_readonly("targets", &BinDataset::targets, "Of them, those that have to be found.")
      .def_readonly("mean_visible", &BinDataset::mean_visible, "Visible share of an instance.")
      .def_readonly("measured_pixels", &BinDataset::measured_pixels,
                    "Share of the pixels with a surface that have a depth.")
      .def("__repr__", [](const BinDataset& d) {
        return "<dovetail.BinDataset of " + std::to_string(d.bins.size()) + " images, " + std::to_string(d.targets) +
               " targets of " + std::to_string(d.instances) + " instances>";
      });
  m.def("simulate_bins", &simulate, py::arg("meshes"), py::arg("counts"), py::arg("bins"), py::arg("keywords"));
  m.def("write_bins", &write, py::arg("folder"), py::arg("meshes"), py::arg("counts"), py::arg("keywords"));
}

}  // namespace dovetail::python
