// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "dovetail/dovetail.h"

namespace dovetail::test {

/// How vehicles are detected from the air, as in the paper: on roads, with noise, with clutter, and not everywhere.
struct DetectionSettings {
  std::size_t count = 1000;
  double noise = 2;          ///< metres, along each axis
  double clutter = 0.2;      ///< share of detections that are none
  double clearance = 6;      ///< metres that these keep from every road
  double empty_roads = 0.3;  ///< share of roads without a detection
  ChamferModel model = ChamferModel::similarity;
  double rotation = 5;        ///< degrees, either way
  double scale = 0.05;        ///< either way
  double shift = 100;         ///< metres along each axis, either way
  double stretch = 0.02;      ///< of an affine map, either way
  double perspective = 0.02;  ///< of a projective one, at the data's radius, either way
  std::uint64_t seed = 1;
};

struct Detections {
  PointCloud observed;           ///< in the sensor's frame
  std::vector<bool> on_road;     ///< which of them are true detections
  std::vector<bool> busy;        ///< which of the roads have any
  Transform target_from_source;  ///< the truth

  /// Root mean square of |estimate p − truth p| over the true detections.
  double error_of(const Transform& estimate) const;
};

Detections detect(const Reference& roads, const DetectionSettings& settings);

/// What the error of no unbiased estimate of the model can be below, in the root mean square over scenes (Cramer and
/// Rao), even of one that knows which roads have detections, how many are clutter, and how large the noise is.
double least_error(const Reference& roads, const DetectionSettings& settings, const Detections& detections);

/// A network of straight and winding streets that the test makes itself, about 2 km across.
Reference made_up_roads(std::uint64_t seed);

/// A grid of streets, as in a town: T-junctions all around, and nothing but straight lines.
Reference street_grid(std::uint32_t side = 7);

}  // namespace dovetail::test
