// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>

#include "dovetail/points.h"
#include "dovetail/transform.h"

// A virtual scanner: range images of a mesh with known poses, for demonstrations, tests and trying out options before
// there is a scan. Link dovetail::scanner.

namespace dovetail {

/// A machined bracket as a triangle mesh, in millimetres: 120 x 80 x 70, a plate with four holes and a chamfer, a wall
/// with a cut corner, two ribs, a bored boss and a dome. No rotation maps it onto itself, so its pose is unique.
/// Made of closed solids that overlap; only their common outside can be seen.
PointCloud built_in_part();

/// A pinhole sensor in front of a mesh. The sensor's frame: origin at the pinhole, z along the view, x to the right and
/// y down in the image.
struct ScanOptions {
  /// Where the sensor stands in the mesh's frame; a rigid3 transform. See look_at().
  Transform mesh_from_sensor;
  /// Columns and rows of the range image, 1 to 16384 each.
  int width = 320;
  int height = 240;
  /// Angle between the rays through the left and the right edge of the image, in degrees, more than 0 and less than
  /// 180. Pixels are square.
  double field_of_view = 40;
  /// Standard deviation of the range along the ray, in the mesh's units.
  double noise = 0;
  /// Share of the rays that do not come back though they hit, 0 to 1.
  double dropout = 0;
  /// A pixel's noise depends on the seed and on the pixel only.
  std::uint64_t seed = 0;
};

/// The pose of a sensor at `eye` that looks at `at`, image upright along `up` (which must not be parallel to the view).
Transform look_at(const Vec3& eye, const Vec3& at, const Vec3& up = {0, 0, 1});

/// Whether scan() was built in: it needs Embree.
bool scanner_available();

/// What the sensor sees: an organised cloud in the sensor's own frame, row after row, NaN where nothing came back.
/// Throws InvalidArgument for an option out of range or a mesh without faces, MachineError where scanner_available() is
/// false.
PointCloud scan(const PointCloud& mesh, const ScanOptions& options = {});

}  // namespace dovetail
