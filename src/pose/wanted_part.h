// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "dovetail/pose_database.h"
#include "pose/orientation.h"
#include "pose/point_sets.h"
#include "pose/rasterizer.h"
#include "pose/rough_pose.h"

namespace dovetail::pose {

/// A part of the database, ready to be laid on a scene.
struct WantedPart {
  const PoseReferences* part = nullptr;
  std::size_t index = 0;
  PointSets points;           ///< of each reference some that are seen in it, in the part's frame
  RasterMesh mesh;            ///< in the part's frame
  std::vector<Vec3> surface;  ///< some hundred points all over it, in the part's frame
  std::vector<Vec3f> surface_about_center;
  OrientationSpace space;
  double diameter = 0;   ///< of the ball about it
  bool outlined = true;  ///< its surface ends where the part does; else where a scanner saw no more of it
  double tolerance = 0;  ///< what may be noise, mm
};

/// Every part of a database. `noise`: standard deviation of a depth, mm.
std::vector<WantedPart> wanted_parts(const PoseDatabase& database, double noise);

/// Whether no point of a part is farther apart at two poses than `limit`, up to its symmetries; mm.
bool as_near_as(double limit, const WantedPart& part, const Rigid3& a, const Rigid3& b);

}  // namespace dovetail::pose
