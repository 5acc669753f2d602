// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "backend/memory.h"
#include "dovetail/pose_database.h"
#include "pose/orientation.h"
#include "pose/point_sets.h"
#include "pose/rasterizer.h"
#include "spatial/scene_view.h"

namespace dovetail::pose {

/// What of a part of the database stays the same from image to image. Lengths in mm, in the part's frame.
struct PartShape {
  PointSets points;  ///< of each reference some that are seen in it
  RasterMesh mesh;
  std::vector<Vec3> surface;  ///< some hundred points all over it
  std::vector<Vec3f> surface_about_center;
  OrientationSpace space;
  bool outlined = true;  ///< its surface ends where the part does; else where a scanner saw no more of it
  double width = 0;      ///< across its longest direction, where it is widest
  bool flat = false;     ///< all of it faces one way, or the opposite one
};
PartShape part_shape(const PoseReferences& part);

/// The same where a machine's passes read it.
struct PlacedShape {
  TriangleMeshView mesh;           ///< about the part's centre
  const Vec3f* surface = nullptr;  ///< likewise
  std::uint32_t surface_count = 0;
  PointSetsView points;
  Keeper keeper;
};
PlacedShape placed_shape(Memory& memory, const PoseReferences& part, const PartShape& shape);

}  // namespace dovetail::pose
