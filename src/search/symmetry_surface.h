// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "core/symmetric.h"
#include "dovetail/points.h"
#include "spatial/surface_tree.h"

namespace dovetail {

/// A part's surface as the search for symmetries sees it: in units of its diameter, about its centroid.
struct SymmetrySurface {
  SurfaceTree tree;
  /// Where the turned surface is measured; in a random order, so that the first few are spread over all of it.
  std::vector<Vec3> samples;
  /// As many for the same area everywhere, in a random order as well: what poses are scored and fitted by.
  std::vector<Vec3> even;
  Symmetric<double, 3> covariance{};  ///< about the centroid, by area

  double tolerance = 0;
  double allowance = 0;  ///< of clouds: for spacing and noise
  double limit() const { return tolerance + allowance; }

  Vec3 origin{};        ///< the centroid in the part's own frame
  double diameter = 0;  ///< in the part's own units
  bool has_faces = false;

  Vec3 to_part(const Vec3& local) const { return origin + diameter * local; }
};

/// `tolerance` in the part's units; 0: automatic. The part has finite points only, at least one; where all coincide the
/// diameter is 0 and the rest is empty.
SymmetrySurface make_symmetry_surface(const PointCloud& part, double tolerance);

}  // namespace dovetail
