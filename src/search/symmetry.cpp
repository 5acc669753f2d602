// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/symmetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/rotation_group.h"
#include "dovetail/error.h"
#include "dovetail/mesh_check.h"
#include "dovetail/options.h"
#include "dovetail/prepare.h"
#include "search/symmetry_group.h"
#include "spatial/gather_points.h"
#include "spatial/parallel.h"

namespace dovetail {
namespace {

constexpr std::array names = {"none",       "cyclic",      "dihedral",   "tetrahedral",
                              "octahedral", "icosahedral", "revolution", "revolution_with_flips",
                              "sphere"};

Vec3 column(const Mat3& m, int k) { return {m(0, k), m(1, k), m(2, k)}; }

std::vector<SymmetryAxis> axes_in_part(const FoundGroup& group, const Vec3& center) {
  const Mat3& frame = group.placement.frame;
  const SymmetryAxis main{column(frame, 2), center, 0}, side{column(frame, 0), center, 0},
      third{column(frame, 1), center, 0};
  if (group.kind == SymmetryKind::sphere) return {main, side, third};
  if (group.kind == SymmetryKind::revolution) return {main};
  if (group.kind == SymmetryKind::revolution_with_flips) return {main, {side.direction, center, 2}};
  std::vector<SymmetryAxis> axes;
  for (const GroupAxis& axis : axes_of(group.motions)) axes.push_back({frame * axis.direction, center, axis.order});
  return axes;
}

std::vector<Transform> rotations_in_part(const FoundGroup& group, const Vec3& center) {
  std::vector<Transform> rotations{Transform()};
  for (std::size_t i = 1; i < group.motions.size(); ++i) {
    const Mat3 rotation = group.placement.in_part(group.motions[i]);
    rotations.push_back(Rigid3{rotation, center - rotation * center});
  }
  return rotations;
}

Symmetry in_part(const SymmetrySurface& surface, const FoundGroup& group) {
  Symmetry result;
  result.kind = group.kind;
  result.order = group.order;
  result.center = surface.to_part(group.placement.center);
  result.axes = axes_in_part(group, result.center);
  result.rotations = rotations_in_part(group, result.center);
  result.diameter = surface.diameter;
  Symmetric<double, 3> about_center = surface.covariance;
  about_center.add_outer(1, group.placement.center);
  result.covariance = (surface.diameter * surface.diameter) * about_center.to_matrix();
  result.deviation = surface.diameter * group.deviation;
  result.tolerance = surface.diameter * surface.tolerance;
  result.allowance = surface.diameter * surface.allowance;
  result.has_faces = surface.has_faces;
  return result;
}

/// All points at one place: a point, which any rotation leaves as it is.
Symmetry of_a_point(const SymmetrySurface& surface, double tolerance) {
  FoundGroup group;
  group.kind = SymmetryKind::sphere;
  group.order = 0;
  Symmetry result = in_part(surface, group);
  result.mirror = true;
  result.tolerance = tolerance;
  return result;
}

Symmetry found_in(const PointCloud& part, const SymmetryOptions& options) {
  const SymmetrySurface surface = make_symmetry_surface(part, options.tolerance);
  if (!(surface.diameter > 0)) return of_a_point(surface, options.tolerance);
  const FoundGroup group = find_group(surface, options.max_order);
  Symmetry result = in_part(surface, group);
  result.mirror = equals_mirror_image(surface, group);
  return result;
}

}  // namespace

Symmetry find_symmetry(const PointCloud& part, const SymmetryOptions& options, const Run& run) {
  validate(options);
  validate(run);
  if (part.dimension != 3) {
    throw InvalidArgument(fmt::format("part: has {} dimensions; symmetries are those of parts in 3", part.dimension));
  }
  check_arrays(part);
  PointCloud sound = part;
  drop_broken_faces(sound);
  const PointCloud finite = drop_invalid(sound, nullptr, run.origin_points);
  if (finite.empty()) throw InvalidArgument(fmt::format("part: none of its {} points is finite", part.size()));
  Symmetry result;
  Threads(run.threads).execute([&] { result = found_in(finite, options); });
  result.box_low = result.box_high = finite.positions.front();
  for (const Vec3& p : finite.positions) {
    for (int i = 0; i < 3; ++i) {
      result.box_low[i] = std::min(result.box_low[i], p[i]);
      result.box_high[i] = std::max(result.box_high[i], p[i]);
    }
    result.radius = std::max(result.radius, norm(p - result.center));
  }
  return result;
}

std::string to_string(SymmetryKind kind) { return names[static_cast<std::size_t>(kind)]; }

std::string group_name(const Symmetry& symmetry) {
  switch (symmetry.kind) {
    case SymmetryKind::none:
      return "C1";
    case SymmetryKind::cyclic:
      return fmt::format("C{}", symmetry.order);
    case SymmetryKind::dihedral:
      return fmt::format("D{}", symmetry.order);
    case SymmetryKind::tetrahedral:
      return "T";
    case SymmetryKind::octahedral:
      return "O";
    case SymmetryKind::icosahedral:
      return "I";
    case SymmetryKind::revolution:
      return "C∞";
    case SymmetryKind::revolution_with_flips:
      return "D∞";
    case SymmetryKind::sphere:
      return "sphere";
  }
  return {};
}

std::string describe(const Symmetry& symmetry) {
  switch (symmetry.kind) {
    case SymmetryKind::none:
      return "no rotation maps it onto itself";
    case SymmetryKind::cyclic:
      return fmt::format("{}-fold about one axis", symmetry.order);
    case SymmetryKind::dihedral:
      return fmt::format("{0}-fold about one axis, with half turns about {0} axes across it", symmetry.order);
    case SymmetryKind::tetrahedral:
      return "the 12 rotations of a tetrahedron";
    case SymmetryKind::octahedral:
      return "the 24 rotations of a cube";
    case SymmetryKind::icosahedral:
      return "the 60 rotations of an icosahedron";
    case SymmetryKind::revolution:
      return "any angle about one axis";
    case SymmetryKind::revolution_with_flips:
      return "any angle about one axis, with half turns about every axis across it";
    case SymmetryKind::sphere:
      return "any rotation about its centre";
  }
  return {};
}

}  // namespace dovetail
