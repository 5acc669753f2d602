// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/resting.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <deque>

#include "arrays.h"
#include "bindings.h"
#include "dovetail/bins.h"
#include "dovetail/pose_density.h"
#include "dovetail/units.h"
#include "file_argument.h"
#include "points_argument.h"
#include "report.h"
#include "state.h"

namespace dovetail::python {

template <>
struct Fields<RestingPart> {
  static auto of(auto& p) { return std::tie(p.part, p.scene_from_part); }
};
template <>
struct Fields<RestingKind> {
  static auto of(auto& k) { return std::tie(k.name, k.checksum, k.diameter); }
};
template <>
struct Fields<RestingBin> {
  static auto of(auto& b) { return std::tie(b.seed, b.length, b.width, b.height, b.parts); }
};
template <>
struct Fields<RestingPoses> {
  static auto of(auto& r) { return std::tie(r.unit, r.parts, r.bins); }
};

namespace {

namespace fs = std::filesystem;

RestingPoses of_bins(const py::list& meshes, const std::vector<std::string>& names, const std::vector<Bin>& bins,
                     const std::string& unit) {
  std::deque<PointsArgument> arguments;
  std::vector<BinPart> parts;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    arguments.emplace_back(PointsLike{meshes[i]}, ("parts['" + names.at(i) + "']").c_str());
    parts.push_back({&arguments.back().cloud(), 1});
  }
  return resting_poses(parts, names, bins, unit);
}

/// How one kind lies in all bins.
py::array_t<double> rotations_of(const RestingPoses& poses, std::size_t kind) {
  std::vector<const Mat3*> all;
  for (const RestingBin& bin : poses.bins) {
    for (const RestingPart& part : bin.parts) {
      if (part.part == kind) all.push_back(&part.scene_from_part.rotation);
    }
  }
  py::array_t<double> rotations({static_cast<py::ssize_t>(all.size()), py::ssize_t{3}, py::ssize_t{3}});
  double* at = rotations.mutable_data();
  for (const Mat3* r : all) at = std::copy(std::begin(r->data), std::end(r->data), at);
  return rotations;
}

std::optional<std::size_t> kind_of(const RestingPoses& poses, const PointsLike& mesh) {
  PointsArgument part(mesh, "mesh");
  const auto kind_like = [&](const PointCloud& cloud) -> std::optional<std::size_t> {
    const std::uint64_t wanted = geometry_checksum(cloud);
    for (std::size_t kind = 0; kind < poses.parts.size(); ++kind) {
      if (poses.parts[kind].checksum == wanted) return kind;
    }
    return std::nullopt;
  };
  if (const auto kind = kind_like(part.cloud()); kind || !is_file(mesh.object)) return kind;
  // Poses in millimetres of a part whose file is in metres.
  PointCloud likely = part.cloud();
  for (Vec3& p : likely.positions) p *= likely_part_unit(part.cloud());
  return kind_like(likely);
}

DoubleArray rows_of(const std::vector<Vec3>& vectors) {
  DoubleArray rows({static_cast<py::ssize_t>(vectors.size()), py::ssize_t{3}});
  double* at = rows.mutable_data();
  for (const Vec3& v : vectors) at = std::copy(std::begin(v.data), std::end(v.data), at);
  return rows;
}

void add_density(py::module_& m) {
  py::class_<FrequentOrientation>(m, "FrequentOrientation", "Orientations that show a camera above the same side.")
      .def_property_readonly(
          "up", [](const FrequentOrientation& o) { return array_of(o.up); },
          "The direction in the part's frame that points up; unit length.")
      .def_property_readonly(
          "rotation", [](const FrequentOrientation& o) { return array_of(o.scene_from_part); },
          "scene_from_part of the pose nearest to it, 3x3.")
      .def_readonly("count", &FrequentOrientation::count, "Poses, each counted once.")
      .def_readonly("share", &FrequentOrientation::share, "Of all poses.")
      .def("__repr__", [](const FrequentOrientation& o) {
        return "<dovetail.FrequentOrientation " + short_text(100 * o.share) + "%, up " + short_text(o.up) + ">";
      });
  py::class_<PoseDensity>(m, "PoseDensity", "How often a part lies how (docs/bins.md).")
      .def_readonly("poses", &PoseDensity::poses)
      .def_readonly("reach", &PoseDensity::reach, "Radians; orientations this near to each other are alike.")
      .def_readonly("orientations", &PoseDensity::orientations, "The most frequent first.")
      .def_property_readonly(
          "directions", [](const PoseDensity& d) { return rows_of(d.directions); },
          "Spread evenly over the sphere, (n, 3).")
      .def_readonly("density", &PoseDensity::density, "At each direction; 1 where all ups are equally likely.")
      .def(
          "distance", [](const PoseDensity& a, const PoseDensity& b) { return density_distance(a, b); },
          py::arg("other"), "How much two densities differ: 0 alike, 1 nothing in common.")
      .def(
          "to_json", [](const PoseDensity& d, const std::string& name, int indent) { return to_json(d, name, indent); },
          py::arg("name"), py::arg("indent") = 2, "The numbers as JSON, schema dovetail.density/1.")
      .def(
          "write_pictures",
          [](const PoseDensity& d, const fs::path& folder, const std::string& name, const PointsLike& mesh) {
            PointsArgument part(mesh, "mesh");
            write_density_pictures(folder, name, d, part.cloud());
          },
          py::arg("folder"), py::arg("name"), py::arg("mesh"), "Pictures of it, as PNG, into a folder that is there.")
      .def("__repr__", [](const PoseDensity& d) {
        return "<dovetail.PoseDensity of " + std::to_string(d.poses) + " poses, " +
               std::to_string(d.orientations.size()) + " orientations listed>";
      });
}

}  // namespace

void add_resting(py::module_& m) {
  add_density(m);
  py::class_<RestingPoses>(m, "RestingPoses", "How parts lie in bins: what `dovetail bin poses` writes.")
      .def_readonly("unit", &RestingPoses::unit, "Of all lengths: 'mm', 'cm', 'm', 'inch', or '' where nobody knows.")
      .def_property_readonly(
          "names",
          [](const RestingPoses& r) {
            std::vector<std::string> names;
            for (const RestingKind& kind : r.parts) names.push_back(kind.name);
            return names;
          },
          "Of the kinds of parts.")
      .def_property_readonly("bins", [](const RestingPoses& r) { return r.bins.size(); })
      .def("kind_of", &kind_of, py::arg("mesh"), "The number of the kind that has this mesh's geometry, or None.")
      .def("rotations", &rotations_of, py::arg("kind") = 0, "scene_from_part of every part of a kind, (k, 3, 3).")
      .def(
          "density",
          [](const RestingPoses& r, const Symmetry& symmetry, std::size_t kind, int most, double reach) {
            return pose_density(r, kind, symmetry, most, reach);
          },
          py::arg("symmetry"), py::kw_only(), py::arg("kind") = 0, py::arg("most") = 10, py::arg("reach") = 0.2,
          "How often a kind of part lies how, up to its symmetry(); at most so many orientations are listed.")
      .def(
          "save", [](const RestingPoses& r, const fs::path& file) { write_resting_poses(file, r); }, py::arg("file"),
          "Writes JSON, schema dovetail.resting/1. The file appears whole or not at all.")
      .def(pickled<RestingPoses>())
      .def("__repr__", [](const RestingPoses& r) {
        std::size_t parts = 0;
        for (const RestingBin& bin : r.bins) parts += bin.parts.size();
        return "<dovetail.RestingPoses: " + std::to_string(parts) + " parts in " + std::to_string(r.bins.size()) +
               " bins>";
      });
  m.def("read_resting_poses", &read_resting_poses, py::arg("file"), "Reads what `dovetail bin poses` wrote.");
  m.def("resting_poses", &of_bins, py::arg("parts"), py::arg("names"), py::arg("bins"), py::arg("unit"));
}

}  // namespace dovetail::python
