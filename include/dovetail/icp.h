// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <string>

namespace dovetail {

/// What ICP makes small: the distance between a moved source point and ...
enum class Metric {
  point_to_point,  ///< its nearest target point
  point_to_plane,  ///< the tangent plane of the target at that point (a line in 2D)
  plane_to_plane,  ///< that point, measured by the flatness of both surfaces (generalised ICP)
};

/// How the weight of a pair falls with its residual.
enum class Kernel {
  none,           ///< every pair within the maximum distance counts alike
  huber,          ///< least squares near zero, linear far away
  tukey,          ///< smooth, and zero beyond the scale
  geman_mcclure,  ///< smooth, never quite zero
  truncated,      ///< least squares up to the scale, nothing beyond
};

/// Which of the six rigid motions may change: three rotations about the target's axes through the place where the start
/// puts the source's centroid, and three shifts along those axes.
struct Freedom {
  bool rx = true, ry = true, rz = true, tx = true, ty = true, tz = true;
  friend bool operator==(const Freedom&, const Freedom&) = default;
};

/// Iterative closest point. Every default follows the data's own scale, so that the same options serve a part in
/// millimetres and a city in metres; "radius" below is the root mean square distance of the source's points from their
/// centroid. A value of 0 means "automatic" where the field says so. docs/methods/icp.md tells the whole schedule.
struct Icp {
  /// What is made small. With point_to_plane the coarse levels go from points to planes by plane_to_plane.
  Metric metric = Metric::plane_to_plane;

  /// Also estimate a uniform scale (point_to_point only).
  bool estimate_scale = false;

  /// Robust kernel, on the distance of a pair. Its scale narrows from the radius to `kernel_scale`.
  Kernel kernel = Kernel::geman_mcclure;

  /// The distance at which the kernel bites at the end, in file units; 0: automatic, a fortieth of the radius.
  double kernel_scale = 0;

  /// Pairs farther apart than this never count, in file units; 0: automatic, three times the kernel's present scale.
  double max_distance = 0;

  /// Expected share of source points that have a counterpart: only that share, the nearest ones, is used in each
  /// iteration; 0: automatic, no trimming beyond what the kernel and the maximum distance do.
  double overlap = 0;

  /// Resolutions from coarse to fine; 0: automatic, voxels of a fifth and a fifteenth of the radius, then all points.
  int levels = 0;

  /// Voxel size of the finest level, in file units; 0: full resolution.
  double voxel = 0;

  /// The most iterations at the finest level; the coarser ones have their own fixed number.
  int max_iterations = 50;

  /// Converged when a step moves the source by less than this part of its radius.
  double tolerance = 1e-5;

  /// Motions that may change; the others keep their value from the start.
  Freedom free{};

  /// Starting poses tried around each given start, at the coarse levels; 0: automatic, 14. The best answer wins, the
  /// one nearest to the start among equals; the others are ranked beside it. 1: the start alone.
  int starts = 0;

  /// Neighbours from which the normal of a point is estimated where its file has none.
  int normal_neighbours = 20;
};

}  // namespace dovetail
