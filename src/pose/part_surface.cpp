// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/pose_database.h"

namespace dovetail {

PointCloud part_surface(const PoseReferences& part) {
  PointCloud mesh;
  mesh.precision = Precision::float32;
  for (const Vec3f& v : part.vertices) {
    mesh.positions.push_back(part.center + Vec3{double{v[0]}, double{v[1]}, double{v[2]}});
  }
  for (const auto& corners : part.triangles) mesh.faces.add({corners[0], corners[1], corners[2]});
  return mesh;
}

}  // namespace dovetail
