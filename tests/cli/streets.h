// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "dovetail/geo_frame.h"
#include "dovetail/points.h"

namespace dovetail::test {

/// A few bent streets near Monaco, and points on them with a metre of noise.
struct Streets {
  GeoFrame frame{7.42, 43.73};
  std::string geojson;  ///< the streets, in degrees
  PointCloud seen;      ///< 2D, in metres of the frame
};
Streets streets();

/// Points of the plane as a table of longitudes and latitudes with the given names, in that order.
std::string degrees_table(const GeoFrame& frame, const PointCloud& points, const std::string& header);

}  // namespace dovetail::test
