// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "io/reference_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "dovetail/error.h"

namespace dovetail::io {
namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double largest_angle = 10;  // degrees from a frame's origin, where lengths are 1.5% too long

/// About the middle of the box of the points, rounded to about ten metres so that it can be told to others.
GeoFrame frame_about(const std::vector<Vec3>& points) {
  // Counted from -180 or from 0, whichever way the points are closer together: those at the antimeridian are
  // neighbours.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low[2] = {infinity, infinity}, high[2] = {-infinity, -infinity}, south = infinity, north = -infinity;
  for (const Vec3& p : points) {
    const double signed_longitude = std::remainder(p[0], 360.0);
    const double longitude[2] = {signed_longitude, signed_longitude < 0 ? signed_longitude + 360 : signed_longitude};
    for (int way = 0; way < 2; ++way) {
      low[way] = std::min(low[way], longitude[way]);
      high[way] = std::max(high[way], longitude[way]);
    }
    south = std::min(south, p[1]);
    north = std::max(north, p[1]);
  }
  const int way = high[1] - low[1] < high[0] - low[0] ? 1 : 0;
  const auto rounded = [](double angle) { return std::round(angle * 1e4) / 1e4; };
  return {std::remainder(rounded((low[way] + high[way]) / 2), 360.0), rounded((south + north) / 2)};
}

/// The angle between two directions from the middle of the earth, in degrees, exact also where it is small.
double angle_between(const GeoFrame& frame, double longitude, double latitude) {
  const double half_step = std::sin(0.5 * degree * (latitude - frame.latitude));
  const double half_turn = std::sin(0.5 * degree * (longitude - frame.longitude));
  const double chord =
      half_step * half_step + std::cos(degree * latitude) * std::cos(degree * frame.latitude) * half_turn * half_turn;
  return 2 * std::asin(std::sqrt(std::min(1.0, chord))) / degree;
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
  std::vector<Vec3>& points = reference.points.positions;
  const GeoFrame into = frame ? *frame : frame_about(points);
  for (Vec3& p : points) {
    const double angle = angle_between(into, p[0], p[1]);
    if (!(angle <= largest_angle)) {
      throw FileError(fmt::format(
          "{}: longitude {}, latitude {} lies {:.1f} degrees from the frame's origin at {}, {}; a local transverse "
          "Mercator projection covers a region of {} degrees around it, not a continent",
          file_, p[0], p[1], angle, into.longitude, into.latitude, largest_angle));
    }
    const Vec2 plane = project(into, p[0], p[1]);
    p = {plane[0], plane[1], 0};
  }
  reference.frame = into;
  return reference;
}

}  // namespace dovetail::io
