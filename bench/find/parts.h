// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>
#include <vector>

#include "find/cases.h"
#include "scenes/objects.h"
#include "scenes/triangle_tree.h"

namespace dovetail::bench::find {

/// A part that lies in scenes and is looked for there.
struct Part {
  SoughtObject sought;
  std::vector<Vec3> outermost_points;
  TriangleTree triangles;
  bool chiral = false;  ///< no rotation maps it onto its mirror image: mirror_difference() is more than 0.01
};

/// All parts of clutter have this diameter.
constexpr double part_diameter = 100;

/// Ten machine parts of the folder of real data. Throws FileError where it is not there.
const std::vector<Part>& cad_parts();
/// Ten parts that are always there: six built-in ones and four of random solids.
const std::vector<Part>& parts_built_in();
/// Mug, liqueur glass and glass in their own size, as clouds of 100,000 points.
const std::vector<Part>& tableware();

/// A part with nothing computed ahead; `cloud_points` are seen from all sides.
Part make_part(const Object& object, bool chiral, double scale, std::size_t cloud_points);

/// What is looked for, as a mirror shows it.
SoughtObject mirrored(const SoughtObject& object);

/// How far the mirror image of a mesh stays from the mesh where it comes to lie best: the root mean square distance of
/// points spread over one from the other, as a part of the diameter. Of what is its own mirror image it
/// is about 0.004, for so densely they are spread.
double mirror_difference(const SoughtObject& object);

}  // namespace dovetail::bench::find
