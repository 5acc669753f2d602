// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <pybind11/stl.h>

#include "bindings.h"
#include "dovetail/mesh_check.h"
#include "points_argument.h"
#include "session.h"

namespace dovetail::python {

void add_meshes(py::module_& m) {
  py::class_<MeshCheck>(m, "MeshCheck", "What is wrong with a mesh, in counts. Polygons count as triangles.")
      .def_readonly("faces", &MeshCheck::faces, "As given.")
      .def_readonly("triangles", &MeshCheck::triangles, "That they make.")
      .def_readonly("area", &MeshCheck::area)
      .def_readonly("volume", &MeshCheck::volume, "That the surface encloses, overlaps twice.")
      .def_readonly("surfaces", &MeshCheck::surfaces, "Pieces that hang together by edges.")
      .def_readonly("broken_faces", &MeshCheck::broken_faces, "With corners that are not there or not finite.")
      .def_readonly("flat_triangles", &MeshCheck::flat_triangles, "Without area.")
      .def_readonly("doubled_triangles", &MeshCheck::doubled_triangles, "That are there already.")
      .def_readonly("flipped_triangles", &MeshCheck::flipped_triangles, "That show their inside.")
      .def_readonly("inside_out", &MeshCheck::inside_out, "Surfaces that show their inside all over.")
      .def_readonly("one_sided", &MeshCheck::one_sided, "Surfaces without inside and outside.")
      .def_readonly("holes", &MeshCheck::holes, "Gaps in the surface, small ones too.")
      .def_readonly("small_holes", &MeshCheck::small_holes, "Up to a twentieth of the mesh's diagonal.")
      .def_readonly("largest_hole", &MeshCheck::largest_hole, "Diagonal of the box about it.")
      .def_readonly("open_edges", &MeshCheck::open_edges, "With a triangle on one side alone.")
      .def_readonly("slits", &MeshCheck::slits, "Gaps without width; harmless.")
      .def_readonly("crowded_edges", &MeshCheck::crowded_edges, "With more than two triangles.")
      .def_readonly("crossing_triangles", &MeshCheck::crossing_triangles, "That pass through others of their surface.")
      .def_readonly("overlaps", &MeshCheck::overlaps, "Pairs of surfaces that pass through each other; harmless.")
      .def_property_readonly("closed", &MeshCheck::closed, "No gaps, or none with an area.")
      .def_property_readonly("sound", &MeshCheck::sound, "A closed solid with nothing wrong that matters.")
      .def_property_readonly(
          "findings",
          [](const MeshCheck& check) {
            std::vector<std::string> texts;
            for (const MeshFinding& finding : describe(check)) texts.push_back(finding.text);
            return texts;
          },
          "All that was found in words, the worst first.")
      .def("__repr__", [](const MeshCheck& check) {
        return "<dovetail.MeshCheck of " + std::to_string(check.faces) + " faces, " +
               (check.sound() ? "sound" : "not sound") + ">";
      });
  m.def(
      "check_mesh",
      [](const PointsLike& mesh) {
        PointsArgument argument(mesh, "mesh");
        const PointCloud& cloud = argument.cloud();
        return without_gil([&] { return check_mesh(cloud); });
      },
      py::arg("mesh"), "Looks for holes, flipped, doubled and crossing faces, and what else is wrong with a mesh.");
  m.def(
      "mend_mesh",
      [](const PointsLike& mesh) {
        PointsArgument argument(mesh, "mesh");
        const PointCloud& cloud = argument.cloud();
        return without_gil([&] { return mend_mesh(cloud); });
      },
      py::arg("mesh"),
      "The mesh as solids need it: flipped triangles turned, doubled and broken ones left out, small holes closed.");
}

}  // namespace dovetail::python
