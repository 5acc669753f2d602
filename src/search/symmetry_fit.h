// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <limits>
#include <optional>
#include <span>

#include "search/symmetry_surface.h"

// How well a group of motions fits a surface, and where it fits best. A motion is a rotation about the centre, or one
// with a reflection: nothing here cares for the sign of its determinant.

namespace dovetail {

/// Where a group stands in a surface.
struct GroupPlacement {
  Mat3 frame = Mat3::identity();  ///< its columns: the group's own axes
  Vec3 center{};

  /// A motion of the group as one about the centre.
  Mat3 in_part(const Mat3& motion) const { return frame * motion * transpose(frame); }
  Vec3 axis() const { return {frame(0, 2), frame(1, 2), frame(2, 2)}; }
};

/// Mean squared distance of a few turned samples from the surface, those far away counted as not quite so far.
double mean_square(const SymmetrySurface& surface, const Mat3& motion, const Vec3& center);

/// Moves the group so that the turned surfaces lie on the surface, by least squares over centre and frame together:
/// the motions keep their angles and their angles to each other.
struct FitEffort {
  std::size_t samples;
  int steps;
};
inline constexpr FitEffort quick_fit{250, 10}, thorough_fit{1000, 30};
GroupPlacement fit_group(const SymmetrySurface& surface, std::span<const Mat3> motions, GroupPlacement start,
                         const FitEffort& effort);

/// Not symmetric within the limit.
inline constexpr double too_far = std::numeric_limits<double>::infinity();

/// Samples that were too far from the surface when they were turned. They are tried first the next time: what broke one
/// symmetry mostly breaks the others. They change how long it takes, not what comes out.
using Witnesses = std::vector<Vec3>;

/// Whether the surface, moved by any of the motions, is within the limit of the surface everywhere.
bool within_limit(const SymmetrySurface& surface, std::span<const Mat3> motions, const GroupPlacement& placement,
                  Witnesses* witnesses = nullptr);

/// The largest distance from the surface, moved by any of the motions, to the surface; `too_far` where it is beyond the
/// surface's limit.
double largest_deviation(const SymmetrySurface& surface, std::span<const Mat3> motions,
                         const GroupPlacement& placement);

/// The same for all turns about the placement's z axis: every circle that a sample runs through lies on the surface.
double deviation_of_free_turns(const SymmetrySurface& surface, const GroupPlacement& placement);

/// The same for all rotations about a point.
double deviation_of_all_turns(const SymmetrySurface& surface, const Vec3& center);

/// A quick fit_group() where the result is within the limit: fitted by `fitted`, judged by all `motions`.
std::optional<GroupPlacement> fit_within_limit(const SymmetrySurface& surface, std::span<const Mat3> fitted,
                                               std::span<const Mat3> motions, const GroupPlacement& start,
                                               Witnesses* witnesses = nullptr);

}  // namespace dovetail
