// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/symmetry_group.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/rotation_group.h"
#include "search/symmetry_axes.h"

namespace dovetail {
namespace {

constexpr double pi = std::numbers::pi;

/// Some of a group's motions, no more than a fit needs.
std::vector<Mat3> some_of(const std::vector<Mat3>& motions) {
  constexpr std::size_t most = 10;
  std::vector<Mat3> some;
  const std::size_t step = std::max<std::size_t>(1, (motions.size() - 1 + most - 1) / most);
  for (std::size_t i = 1; i < motions.size(); i += step) some.push_back(motions[i]);
  // The last of a dihedral group is a half turn, which alone tells where the centre is along the axis.
  if (motions.size() > 2 && (motions.size() - 2) % step != 0) some.push_back(motions.back());
  return some;
}

/// A single axis leaves open where along it the centre is: at the centroid, which is the surface's origin.
void keep_centroid(GroupPlacement& placement) {
  placement.center -= dot(placement.center, placement.axis()) * placement.axis();
}

/// The group where it fits, if it does.
std::optional<FoundGroup> fitting(const SymmetrySurface& surface, SymmetryKind kind, int order,
                                  std::vector<Mat3> motions, const GroupPlacement& start) {
  FoundGroup group{kind, order, std::move(motions), {}, 0};
  group.placement = fit_group(surface, some_of(group.motions), start, thorough_fit);
  if (kind == SymmetryKind::cyclic) keep_centroid(group.placement);
  group.deviation = largest_deviation(surface, group.motions, group.placement);
  if (group.deviation == too_far) return {};
  return group;
}

/// Two axes, of which turns by 2π / fold are in the group, at the angle that two such axes of the solid have.
struct Solid {
  SymmetryKind kind;
  int order;           ///< of the main axis
  int fold;            ///< of the two axes
  Vec3 first, second;  ///< them in the group's own frame
  std::vector<Mat3> (*motions)();
};

std::optional<FoundGroup> solid_group(const SymmetrySurface& surface, const std::vector<FoundAxis>& axes,
                                      const Solid& solid) {
  constexpr double off = 0.05;  // of the cosine
  const Vec3 first = (1 / norm(solid.first)) * solid.first, second = (1 / norm(solid.second)) * solid.second;
  for (const FoundAxis& a : axes) {
    for (const FoundAxis& b : axes) {
      if (&a == &b || a.order % solid.fold != 0 || b.order % solid.fold != 0) continue;
      const Vec3 u = a.placement.axis();
      Vec3 v = b.placement.axis();
      if (dot(u, v) * dot(first, second) < 0) v = -v;
      if (std::fabs(dot(u, v) - dot(first, second)) > off) continue;
      const Mat3 frame = frame_along(u, v) * transpose(frame_along(first, second));
      if (auto group = fitting(surface, solid.kind, solid.order, solid.motions(), {frame, a.placement.center})) {
        return group;
      }
    }
  }
  return {};
}

std::optional<FoundGroup> any_solid_group(const SymmetrySurface& surface, const std::vector<FoundAxis>& axes) {
  const double phi = std::numbers::phi;
  const std::array solids = {
      Solid{SymmetryKind::icosahedral, 5, 5, {0, 1, phi}, {0, -1, phi}, icosahedral_group},
      Solid{SymmetryKind::octahedral, 4, 4, {0, 0, 1}, {1, 0, 0}, octahedral_group},
      Solid{SymmetryKind::octahedral, 4, 3, {1, 1, 1}, {1, -1, -1}, octahedral_group},
      Solid{SymmetryKind::tetrahedral, 3, 3, {1, 1, 1}, {1, -1, -1}, tetrahedral_group},
  };
  for (const Solid& solid : solids) {
    if (auto group = solid_group(surface, axes, solid)) return group;
  }
  return {};
}

FoundGroup revolution_group(const SymmetrySurface& surface, const FoundAxis& axis) {
  const Mat3 flip = turn_about({1, 0, 0}, pi), turn = turn_about({0, 0, 1}, 2.0);
  FoundGroup turning{SymmetryKind::revolution, 0, {Mat3::identity()}, {}, 0};
  turning.placement = fit_group(surface, std::array{turn, turn * turn}, axis.placement, thorough_fit);
  keep_centroid(turning.placement);
  turning.deviation = deviation_of_free_turns(surface, turning.placement);
  if (turning.deviation == too_far) {  // the first fit was good enough, with fewer samples
    turning.placement = axis.placement;
    turning.deviation = deviation_of_free_turns(surface, turning.placement);
  }
  const std::array both = {flip, turn, flip * turn};
  FoundGroup flipping{SymmetryKind::revolution_with_flips, 0, {Mat3::identity(), flip}, {}, 0};
  flipping.placement = fit_group(surface, both, turning.placement, thorough_fit);
  flipping.deviation = largest_deviation(surface, std::array{flip, flip * turn}, flipping.placement);
  if (flipping.deviation == too_far) return turning;
  const double freely = deviation_of_free_turns(surface, flipping.placement);
  if (freely == too_far) return turning;
  flipping.deviation = std::max(flipping.deviation, freely);
  return flipping;
}

/// The group of one axis, with half turns across it where there are any.
FoundGroup axis_group(const SymmetrySurface& surface, const FoundAxis& axis) {
  const int order = axis.order;
  const GroupPlacement& at = axis.placement;
  const int count = std::max(12, static_cast<int>(std::ceil(120.0 / order)));
  const std::vector<Vec3> directions = across(at.frame, pi / order, count);
  const auto half_turn = [](const Vec3& direction) { return turn_about(direction, pi); };
  // The centroid is where half turns are scored about; the fit finds the centre.
  for (const Vec3& direction : best_directions(surface, directions, 5, half_turn)) {
    const GroupPlacement start{frame_along(at.axis(), direction), {}};
    if (auto group = fitting(surface, SymmetryKind::dihedral, order, dihedral_group(order), start)) return *group;
  }
  if (auto group = fitting(surface, SymmetryKind::cyclic, order, cyclic_group(order), at)) return *group;
  FoundGroup group{SymmetryKind::cyclic, order, cyclic_group(order), at, 0};
  group.deviation = largest_deviation(surface, group.motions, at);
  return group;
}

}  // namespace

FoundGroup find_group(const SymmetrySurface& surface, int max_order) {
  if (inertia_axes(surface).any_direction) {
    const std::array some = {turn_about({1, 0, 0}, 2.0), turn_about({0, 1, 0}, 2.0), turn_about({0, 0, 1}, 2.0)};
    const GroupPlacement placement = fit_group(surface, some, {}, quick_fit);
    const double deviation = deviation_of_all_turns(surface, placement.center);
    if (deviation != too_far) return {SymmetryKind::sphere, 0, {Mat3::identity()}, placement, deviation};
  }
  const std::vector<FoundAxis> axes = find_axes(surface, max_order);
  if (axes.empty()) return {};
  if (axes.front().order == 0) return revolution_group(surface, axes.front());
  if (axes.size() > 1) {
    if (auto group = any_solid_group(surface, axes)) return *group;
  }
  return axis_group(surface, axes.front());
}

}  // namespace dovetail
