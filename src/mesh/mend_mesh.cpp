// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/mesh_check.h"
#include "mesh/doubled.h"
#include "mesh/mesh_gaps.h"
#include "mesh/mesh_surfaces.h"

namespace dovetail {

PointCloud mend_mesh(const PointCloud& cloud) {
  mesh::WeldedMesh mesh = mesh::weld(cloud);
  mesh::drop_doubled(mesh);
  mesh::orient(mesh);
  mesh::close_small_holes(mesh);
  PointCloud mended;
  mended.precision = cloud.precision;
  mended.positions = mesh.places;
  for (const mesh::Corners& t : mesh.triangles) mended.faces.add({t[0], t[1], t[2]});
  return mended;
}

}  // namespace dovetail
