// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/reference_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "dovetail/error.h"
#include "spatial/bounds.h"

namespace dovetail::io {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double largest_angle = 10;  // degrees from a frame's origin, where lengths are 1.5% too long

/// About the middle of the box of the points, rounded to about ten metres so that it can be told to others.
GeoFrame frame_about(const std::vector<Vec3>& points) {
  // Counted from -180 or from 0, whichever way the points are closer together: those at the antimeridian are
  // neighbours.
  Bounds bounds;  // of both longitudes and of the latitude
  for (const Vec3& p : points) {
    if (!std::isfinite(p[0]) || !std::isfinite(p[1])) continue;
    const double signed_longitude = std::remainder(p[0], 360.0);
    bounds.add({signed_longitude, signed_longitude < 0 ? signed_longitude + 360 : signed_longitude, p[1]});
  }
  const int way = bounds.sides()[1] < bounds.sides()[0] ? 1 : 0;
  const auto middle = [&](int axis) { return std::round((bounds.low[axis] + bounds.high[axis]) / 2 * 1e4) / 1e4; };
  return {std::remainder(middle(way), 360.0), middle(2)};
}

/// The angle between two directions from the middle of the earth, in degrees, exact also where it is small.
double angle_between(const GeoFrame& frame, double longitude, double latitude) {
  const double half_step = std::sin(0.5 * degree * (latitude - frame.latitude));
  const double half_turn = std::sin(0.5 * degree * (longitude - frame.longitude));
  const double chord =
      half_step * half_step + std::cos(degree * latitude) * std::cos(degree * frame.latitude) * half_turn * half_turn;
  return 2 * std::asin(std::sqrt(std::min(1.0, chord))) / degree;
}

/// Projects longitudes and latitudes into `frame`, else into one about their middle, and says which; what is not finite
/// stays so.
GeoFrame project_all(std::string_view file, std::vector<Vec3>& points, const std::optional<GeoFrame>& frame) {
  const GeoFrame into = frame ? *frame : frame_about(points);
  for (Vec3& p : points) {
    if (!std::isfinite(p[0]) || !std::isfinite(p[1])) continue;
    const double angle = angle_between(into, p[0], p[1]);
    if (!(angle <= largest_angle)) {
      throw FileError(fmt::format(
          "{}: longitude {}, latitude {} lies {:.1f} degrees from the frame's origin at {}, {}; a local transverse "
          "Mercator projection covers a region of {} degrees around it, not a continent",
          file, p[0], p[1], angle, into.longitude, into.latitude, largest_angle));
    }
    const Vec2 plane = project(into, p[0], p[1]);
    p = {plane[0], plane[1], 0};
  }
  return into;
}

}  // namespace

std::uint32_t ReferenceBuilder::index_of(double x, double y) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max() - 2;
  const std::uint32_t index = merger_.add({x, y, 0});
  if (index >= most || lines_.index.size() >= most) throw FileError(file_ + ": more than 2^32 vertices");
  return index;
}

Reference ReferenceBuilder::take_planar() {
  Reference reference;
  reference.points.positions = merger_.take_positions();
  reference.points.dimension = 2;
  reference.lines = std::move(lines_);
  if (reference.points.empty()) throw FileError(file_ + ": has no lines or points");
  return reference;
}

Reference ReferenceBuilder::take_projected(const std::optional<GeoFrame>& frame) {
  Reference reference = take_planar();
  reference.frame = project_all(file_, reference.points.positions, frame);
  return reference;
}

Reference project_degrees(std::string_view file, PointCloud cloud, const std::optional<GeoFrame>& frame) {
  bool any = false;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    const Vec3& p = cloud.positions[i];
    any = any || (std::isfinite(p[0]) && std::isfinite(p[1]));
    const bool wrong_latitude = std::fabs(p[1]) > 90, wrong = wrong_latitude || std::fabs(p[0]) > 360;
    if (!wrong) continue;
    throw FileError(fmt::format("{}: point {}: {} {} is not within {} degrees", file, i,
                                wrong_latitude ? "latitude" : "longitude", wrong_latitude ? p[1] : p[0],
                                wrong_latitude ? "-90 and 90" : "-360 and 360"));
  }
  if (!any) throw FileError(fmt::format("{}: no point has a longitude and a latitude", file));
  if (cloud.dimension == 3) {  // the plane has no heights; they stay beside the points
    std::vector<double> heights;
    heights.reserve(cloud.size());
    for (Vec3& p : cloud.positions) heights.push_back(std::exchange(p[2], 0.0));
    cloud.attributes.push_back({"height", 1, std::move(heights)});
    cloud.dimension = 2;
    cloud.normals.clear();
  }
  Reference reference;
  reference.frame = project_all(file, cloud.positions, frame);
  reference.points = std::move(cloud);
  return reference;
}

}  // namespace dovetail::io
