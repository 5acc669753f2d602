// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <string>

#include "dovetail/matrix.h"

namespace dovetail {

/// A plane to hold longitudes and latitudes in: the transverse Mercator projection of WGS 84 about an origin, in
/// metres, x to the east, y to the north, scale 1 on the origin's meridian. Lengths are true to 1 part in 10,000 within
/// 90 km of that meridian and to 1.5% within 10 degrees; angles are true everywhere.
struct GeoFrame {
  double longitude = 0;  ///< of the origin, in degrees
  double latitude = 0;

  friend constexpr bool operator==(const GeoFrame&, const GeoFrame&) = default;
};

/// Longitude and latitude in degrees to x and y in metres. Exact to nanometres within 30 degrees of the meridian.
Vec2 project(const GeoFrame& frame, double longitude, double latitude);

/// And back: longitude (-180 to 180) and latitude, in degrees.
Vec2 unproject(const GeoFrame& frame, double x, double y);

/// The frame as PROJ, GDAL and GIS programs take it: "+proj=tmerc +lat_0=43.7372 +lon_0=7.4205 ...". Every digit is
/// kept.
std::string to_proj_string(const GeoFrame& frame);

}  // namespace dovetail
