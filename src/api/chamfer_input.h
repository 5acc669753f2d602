// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <vector>

#include "backend/backend.h"
#include "dovetail/chamfer.h"
#include "dovetail/points.h"
#include "dovetail/run.h"

namespace dovetail {

/// Observed points ready to be placed, with what keeps their memory.
struct ChamferInput {
  ObservedView view;  ///< its origin and scale are still to be set
  Vec3 origin{};      ///< what the view's coordinates count from, in the file's frame
  std::size_t points = 0, dropped_non_finite = 0, dropped_at_origin = 0;

  std::vector<float> coordinates, weights;
  std::vector<std::uint32_t> sample;

  /// What weights are multiplied by so that they add up to the number of points they are worth.
  double weight_unit() const;
  /// That number.
  double worth() const;
};

/// The usable points of a cloud, as floats about the middle of them. Throws InvalidArgument where it has no points or
/// the weights do not fit.
ChamferInput observed_cloud(const PointCloud& cloud, const Run& run);

/// Points as the caller holds them. Throws InvalidArgument for a view that makes no sense.
ChamferInput observed_view(const PointsView& points, const Run& run);

/// Picks about `count` points, one at random out of each run of equally many.
void pick_sample(ChamferInput& input, std::size_t count, std::uint64_t seed);

/// Points of the sample on the host.
template <int D>
struct SamplePoints {
  std::vector<Vector<double, D>> positions;
  std::vector<double> weights;  ///< empty: all 1
};

/// Those that are numbers and have weight, in the view's coordinates.
template <int D>
SamplePoints<D> sample_points(const ChamferInput& input, Backend& backend);

}  // namespace dovetail
