// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "find/parts.h"

#include <algorithm>
#include <iterator>

#include "scenes/real_objects.h"
#include "scenes/resting.h"
#include "scenes/views.h"

namespace dovetail::bench::find {
namespace {

// Scans from all sides and not points of the mesh: solids that overlap have surfaces within that nobody sees.
constexpr std::size_t usual_points = 20000;

/// The tube is left out: at one diameter with the others it is a rod as thin as a few pixels.
constexpr const char* left_out = "tube";
double scale_of(const Object& object) { return part_diameter / diameter_of(object.mesh.positions); }

std::vector<Part> make_cad_parts() {
  std::vector<Part> parts;
  for (const Object& object : cad_objects()) {
    if (object.name == left_out) continue;
    parts.push_back(make_part(object, false, scale_of(object), usual_points));
  }
  return parts;
}

std::vector<Part> make_parts_built_in() {
  std::vector<Part> parts;
  for (const BuiltInPart kind : {BuiltInPart::bracket, BuiltInPart::hex_bolt, BuiltInPart::t_pipe,
                                 BuiltInPart::elbow_pipe, BuiltInPart::flange, BuiltInPart::mug}) {
    const Object object = symmetric_object(kind);
    parts.push_back(make_part(object, kind == BuiltInPart::bracket, scale_of(object), usual_points));
  }
  for (const std::uint64_t seed : {1001, 1002, 1003, 1004}) {
    const Object object = part_object(seed);
    parts.push_back(make_part(object, true, scale_of(object), usual_points));
  }
  return parts;
}

}  // namespace

Part make_part(const Object& object, bool chiral, double scale, std::size_t cloud_points) {
  SoughtObject sought{object.name, object.mesh, {}, object.symmetries, object.free_axis, {}, 0};
  // Symmetries are about the origin; what has none is brought there, for a part lies as its middle does.
  const Vec3 middle = object.symmetries.size() > 1 ? Vec3{} : middle_of(object.mesh);
  for (Vec3& p : sought.mesh.positions) p = scale * (p - middle);
  RandomStream random(1, 0);
  sought.cloud = seen_all_around(sought.mesh, cloud_points, 0, random).cloud;
  sought.diameter = diameter_of(sought.mesh.positions);
  std::vector<Vec3> outside = outermost(sought.mesh.positions);
  TriangleTree triangles(sought.mesh);
  return {std::move(sought), std::move(outside), std::move(triangles), chiral};
}

const std::vector<Part>& cad_parts() {
  static const std::vector<Part> parts = make_cad_parts();
  return parts;
}

const std::vector<Part>& parts_built_in() {
  static const std::vector<Part> parts = make_parts_built_in();
  return parts;
}

const std::vector<Part>& tableware() {
  static const std::vector<Part> parts = [] {
    std::vector<Part> all;
    for (const BuiltInPart kind : {BuiltInPart::mug, BuiltInPart::liqueur_glass, BuiltInPart::glass}) {
      all.push_back(make_part(symmetric_object(kind), false, 1, 100000));
    }
    return all;
  }();
  return parts;
}

SoughtObject mirrored(const SoughtObject& object) {
  SoughtObject result = object;
  result.name = "mirrored_" + object.name;
  result.symmetries.clear();  // nobody asks how well it was found
  for (PointCloud* cloud : {&result.mesh, &result.cloud}) {
    for (Vec3& p : cloud->positions) p[0] = -p[0];
  }
  Faces& faces = result.mesh.faces;  // outside stays outside
  for (std::size_t f = 0; f < faces.size(); ++f) {
    std::reverse(faces.index.begin() + faces.start[f], faces.index.begin() + faces.start[f + 1]);
  }
  return result;
}

}  // namespace dovetail::bench::find
