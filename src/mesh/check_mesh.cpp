// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <algorithm>
#include <cmath>

#include "dovetail/mesh_check.h"
#include "mesh/crossings.h"
#include "mesh/doubled.h"
#include "mesh/mesh_gaps.h"
#include "mesh/mesh_surfaces.h"
#include "spatial/bounds.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

void count_gaps(MeshCheck& check, const mesh::Gaps& gaps) {
  check.crowded_edges = gaps.crowded;
  check.uneven_edges = gaps.uneven;
  for (const mesh::Gap& gap : gaps.all) {
    check.open_edges += gap.edges.size();
    if (gap.slit) {
      ++check.slits;
      continue;
    }
    ++check.holes;
    if (gap.size <= small_hole * check.diagonal) ++check.small_holes;
    check.largest_hole = std::max(check.largest_hole, gap.size);
  }
}

double volume_of(const mesh::WeldedMesh& mesh, const mesh::Surfaces& surfaces) {
  Bounds box;
  for (const Vec3& p : mesh.places) box.add(p);
  double volume = 0;
  for (const mesh::Surface& surface : surfaces.all) volume += volume_6(mesh, surface.triangles, box.center());
  return volume / 6;
}

}  // namespace

MeshCheck check_mesh(const PointCloud& cloud, int threads) {
  MeshCheck check;
  check.faces = cloud.faces.size();
  if (cloud.faces.empty()) return check;
  Threads(threads).execute([&] {
    mesh::WeldedMesh mesh = mesh::weld(cloud);
    check.triangles = mesh.all_triangles;
    check.broken_faces = mesh.broken_faces;
    check.corners = mesh.places.size();
    check.diagonal = mesh.diagonal;
    check.flat_triangles = mesh.flat;
    check.doubled_triangles = mesh::drop_doubled(mesh);
    const mesh::Surfaces surfaces = mesh::orient(mesh);
    check.flipped_triangles = surfaces.flipped;
    check.surfaces = surfaces.all.size();
    for (const mesh::Surface& surface : surfaces.all) {
      check.one_sided += surface.one_sided;
      check.inside_out += surface.inside_out;
    }
    count_gaps(check, gaps_of(mesh));
    for (const mesh::Corners& t : mesh.triangles) check.area += 0.5 * norm(mesh.area_vector(t));
    check.volume = volume_of(mesh, surfaces);
    const mesh::Crossings crossings = crossings_of(mesh, surfaces);
    check.crossing_triangles = crossings.triangles;
    check.overlaps = crossings.overlaps;
  });
  return check;
}

}  // namespace dovetail
