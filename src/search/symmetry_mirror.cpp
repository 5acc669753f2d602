// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <array>
#include <cmath>
#include <numbers>

#include "core/rotation_group.h"
#include "search/symmetry_axes.h"
#include "search/symmetry_group.h"

// A surface equals its mirror image when one motion with a reflection maps it onto itself; all others of that kind are
// then that one after the group's rotations. Its square is a rotation of the group, which leaves few to try.

namespace dovetail {
namespace {

constexpr double pi = std::numbers::pi;

/// x → x − 2 (x·n) n
Mat3 reflection(const Vec3& normal) { return (-1.0) * turn_about(normal, pi); }

bool fits(const SymmetrySurface& surface, const Mat3& motion, const GroupPlacement& start) {
  return fit_within_limit(surface, std::array{motion}, std::array{motion}, start).has_value();
}

/// Planes with a normal among the best of these directions.
bool any_plane(const SymmetrySurface& surface, const std::vector<Vec3>& normals, std::size_t most) {
  for (const Vec3& normal : best_directions(surface, normals, most, reflection)) {
    if (fits(surface, reflection({0, 0, 1}), {frame_along(normal), {}})) return true;
  }
  return false;
}

/// Without rotations: a plane or the centre.
bool mirrors_alone(const SymmetrySurface& surface) {
  if (fits(surface, -Mat3::identity(), {})) return true;
  const InertiaAxes inertia = inertia_axes(surface);
  if (any_plane(surface, inertia.distinct, 3)) return true;
  if (inertia.any_across && any_plane(surface, across(frame_along(inertia.distinct.front()), pi, 180), 6)) return true;
  return inertia.any_direction && any_plane(surface, half_sphere(1200), 12);
}

}  // namespace

bool equals_mirror_image(const SymmetrySurface& surface, const FoundGroup& group) {
  if (group.turns_freely()) return true;  // any plane through the axis
  if (group.kind == SymmetryKind::none) return mirrors_alone(surface);
  if (fits(surface, -Mat3::identity(), group.placement)) return true;
  // Reflections across an axis, alone or after half a step about it.
  const std::vector<GroupAxis> axes = axes_of(group.motions);
  for (const GroupAxis& axis : axes) {
    const Mat3 plane = reflection(axis.direction);
    if (fits(surface, plane, group.placement)) return true;
    if (fits(surface, turn_about(axis.direction, pi / axis.order) * plane, group.placement)) return true;
  }
  if (group.kind != SymmetryKind::cyclic) return false;  // with planes through the axis the others would have had one
  const int count = std::max(12, static_cast<int>(std::ceil(120.0 / group.order)));
  return any_plane(surface, across(group.placement.frame, pi / group.order, count), 5);
}

}  // namespace dovetail
