// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "search/symmetry_fit.h"

namespace dovetail {

/// An axis about which a surface may be turned: the placement's z.
struct FoundAxis {
  GroupPlacement placement;
  int order = 1;  ///< the highest that is within the limit; 0: any angle
};

/// How much the second moments tell of where axes are.
struct InertiaAxes {
  std::vector<Vec3> distinct;  ///< directions that a symmetry either keeps or reverses
  bool any_direction = false;  ///< the moments are so alike that axes may be anywhere
  bool any_across = false;     ///< two of them are: axes may be anywhere across distinct[0] as well
};
InertiaAxes inertia_axes(const SymmetrySurface& surface);

/// Directions spread evenly over half of the sphere.
std::vector<Vec3> half_sphere(int count);
/// Directions at right angles to an axis, evenly from `from` on through `angle`.
std::vector<Vec3> across(const Mat3& frame_along_axis, double angle, int count);

/// The directions, best first and no two near each other, for which motion_about(direction) brings the surface nearest
/// to itself; `most` of them.
template <class MotionAbout>
std::vector<Vec3> best_directions(const SymmetrySurface& surface, const std::vector<Vec3>& directions, std::size_t most,
                                  const MotionAbout& motion_about);

/// Every axis there may be, or enough of them to tell the group: those that the moments show and, where they do not
/// tell, those that turns by simple fractions of a circle about directions all over the sphere point at.
std::vector<FoundAxis> find_axes(const SymmetrySurface& surface, int max_order);

/// Whether an axis at rest where it may be said to be has a chance to fit there.
bool plausible(const SymmetrySurface& surface, const Mat3& motion, const GroupPlacement& placement);

}  // namespace dovetail

#include "search/symmetry_axes_impl.h"
