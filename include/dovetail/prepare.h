// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstddef>
#include <optional>

#include "dovetail/points.h"

namespace dovetail {

/// How large and how dense a cloud is, in its own units. Every default distance is derived from these two.
struct CloudScale {
  /// Diagonal of the box that holds, along each axis, all but the outermost 0.5% of the points at either end: a few
  /// outliers do not count. Clouds of fewer than 200 points are not trimmed.
  double extent = 0;
  /// Median distance from a point to the nearest point that is elsewhere (duplicates do not count), over up to 2,048
  /// points spread over the cloud. Zero when all points coincide.
  double spacing = 0;
};

/// Measures a cloud. Non-finite points and no-return marks (see drop_invalid) do not count.
CloudScale measure_scale(const PointCloud& cloud);

/// What drop_invalid left out.
struct DroppedPoints {
  /// A coordinate is NaN, infinite or beyond 1e150; or the point is a million times farther from the others than their
  /// extent, as some sensors write a large number for infinity.
  std::size_t non_finite = 0;
  std::size_t at_origin = 0;  ///< exactly at (0, 0, 0), as other sensors mark a ray that did not come back
};

/// The cloud without points that mean nothing: non-finite ones, and those exactly at the origin, always, never, or
/// where they look like the no-return marks of a sensor (automatic). They do when the cloud is no mesh and holds at
/// least two, and they are either many (more than 16 and than 0.5% of the points) or apart from everything else
/// (farther from the box of the other points than a tenth of its diagonal). All per-point data is kept; faces that lose
/// a corner go; the result is organised only if nothing was dropped.
PointCloud drop_invalid(const PointCloud& cloud, DroppedPoints* dropped = nullptr,
                        OriginPoints at_origin = OriginPoints::automatic);

/// One point for every cube of side `voxel` (in the cloud's units, on a grid through the origin) that holds points: the
/// mean of their positions, colours and normals (turned to one side first, then made unit length). Other attributes
/// are those of the lowest-numbered point in the cube, faces are dropped, and so are invalid points (drop_invalid).
/// The result does not depend on the number of threads; its points lie along a Morton curve, neighbours mostly near
/// each other.
/// Throws InvalidArgument unless `voxel` is positive and finite.
PointCloud downsample(const PointCloud& cloud, double voxel);

struct NormalOptions {
  /// Points in a neighbourhood, the point itself included: from 3 to 32. More smooths noise, and rounds edges.
  int neighbours = 16;
  /// Turns normals towards this point, a sensor say. Otherwise the largest component of a normal (the first of nearly
  /// equal ones) is positive, which is repeatable but tells no inside from outside.
  std::optional<Vec3> viewpoint = {};
};

/// Gives every point the normal of the plane (in 2D, of the line) that fits its nearest neighbours best. Zero where
/// there is none: at invalid points (drop_invalid), and where the neighbours coincide or lie on a line (in 3D).
/// Throws InvalidArgument when `neighbours` is out of range.
void estimate_normals(PointCloud& cloud, const NormalOptions& options = {});

}  // namespace dovetail
