// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "dovetail/geo_frame.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/transverse_mercator.h"

namespace dovetail {
namespace {

constexpr double degree = std::numbers::pi / 180;

double north_of_equator(const GeoFrame& frame) { return transverse_mercator(0, frame.latitude * degree)[1]; }

}  // namespace

Vec2 project(const GeoFrame& frame, double longitude, double latitude) {
  // Degrees are reduced before they become radians: 180 and -180 are then the same.
  const double from_meridian = std::remainder(longitude - frame.longitude, 360.0);
  const Vec2 p = transverse_mercator(from_meridian * degree, latitude * degree);
  return {p[0], p[1] - north_of_equator(frame)};
}

Vec2 unproject(const GeoFrame& frame, double x, double y) {
  const Vec2 p = inverse_transverse_mercator(x, y + north_of_equator(frame));
  return {std::remainder(frame.longitude + p[0] / degree, 360.0), p[1] / degree};
}

std::string to_proj_string(const GeoFrame& frame) {
  return fmt::format("+proj=tmerc +lat_0={} +lon_0={} +k=1 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
                     frame.latitude, frame.longitude);
}

}  // namespace dovetail
