// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <span>
#include <vector>

#include "bins/convex_hull.h"
#include "bins/interior.h"
#include "bins/solid.h"
#include "dovetail/bins.h"
#include "dovetail/models.h"
#include "spatial/bounds.h"
#include "spatial/surface_tree.h"

namespace dovetail::bins {

/// A part as the simulation knows it: in its own unit of length, about the centre of mass, along the axes of inertia.
struct Body {
  double diameter = 1;  ///< in the simulation's unit, as all below
  double radius = 1;    ///< of the sphere about the centre of mass
  double mass = 1;
  Vec3 inertia{};  ///< about each axis
  std::vector<ConvexHull> pieces;
  Bounds box;

  // For what is measured at the end: the true surface.
  std::vector<Vec3> corners;
  std::vector<Vec3> samples;  ///< corners, and places all over the surface
  SurfaceTree surface;
  Interior interior{{}};

  /// Of the part's own frame and unit; `unit` is the simulation's, in the part's.
  Mat3 part_from_body = Mat3::identity();
  Vec3 center{};
  Rigid3 scene_from_part(const Rigid3& scene_from_body, double unit) const;
};

/// Parts ready to be dropped.
struct Bodies {
  std::vector<Body> bodies;
  std::vector<int> counts;
  double unit = 1;  ///< diameter of the largest part
};

/// Throws InvalidArgument for what cannot be dropped.
Bodies make_bodies(std::span<const BinPart> parts, int pieces);

/// The inner size of the bin in the simulation's unit. Throws InvalidArgument where a part does not fit.
struct BinSize {
  double length = 0, width = 0, height = 0, wall = 0;
  bool plane = false;
};
BinSize bin_size(const Bodies& bodies, const BinOptions& options);

}  // namespace dovetail::bins
