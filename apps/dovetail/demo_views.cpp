// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "demo_views.h"

#include <cmath>
#include <numbers>

#include "dovetail/prepare.h"
#include "dovetail/scanner.h"

namespace dovetail::app {
namespace {

constexpr Vec3 part_center = {0, 0, 25};
constexpr double distance = 330;
constexpr double elevation = 40;         // degrees above the plate
constexpr double first_elevation = 100;  // over the wall: it sees neither side of it
constexpr double radians = std::numbers::pi / 180;

/// The first looks down on the part, so that it shares the upper surfaces with each of the others, which stand around.
Transform sensor_pose(int view) {
  const double around = 360.0 * view / (view_count - 1) * radians;
  const double up = (view == 0 ? first_elevation : elevation) * radians;
  const Vec3 direction = {std::cos(up) * std::cos(around), std::cos(up) * std::sin(around), std::sin(up)};
  return look_at(part_center + direction * distance, part_center);
}

/// A turn of guess_angle about the part's middle and a shift of guess_shift, each along its own direction for each
/// view.
Transform disturbance(int view) {
  const auto direction = [](double a, double b) {
    return Vec3{std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)};
  };
  const Vec3 axis = direction(2.4 * view, 0.7 * std::sin(view)),
             shift = direction(1.1 + 2.4 * view, 0.5 * std::cos(view));
  const Vec3 center = part_center_in_first_view();
  const Mat3 turn = exp_so3(axis * (guess_angle * radians));
  return Rigid3{turn, center - turn * center + shift * guess_shift};
}

}  // namespace

Vec3 part_center_in_first_view() { return sensor_pose(0).inverse() * part_center; }

std::vector<View> scan_around(const PointCloud& part) {
  std::vector<View> views;
  const Transform first_from_part = sensor_pose(0).inverse();
  for (int i = 0; i < view_count; ++i) {
    ScanOptions options;
    options.mesh_from_sensor = sensor_pose(i);
    options.noise = sensor_noise;
    options.dropout = 0.02;
    options.field_of_view = 30;
    options.seed = static_cast<std::uint64_t>(i);
    View view;
    view.cloud = drop_invalid(scan(part, options));
    view.first_from_view = first_from_part * options.mesh_from_sensor;
    view.guess = disturbance(i) * view.first_from_view;
    views.push_back(std::move(view));
  }
  return views;
}

void add_view(PointCloud& merged, const PointCloud& cloud, int view) {
  constexpr std::array<std::array<std::uint8_t, 4>, view_count> colors{{{230, 90, 60, 255},
                                                                        {70, 140, 220, 255},
                                                                        {90, 180, 90, 255},
                                                                        {230, 180, 50, 255},
                                                                        {150, 100, 200, 255},
                                                                        {80, 190, 190, 255}}};
  merged.positions.insert(merged.positions.end(), cloud.positions.begin(), cloud.positions.end());
  merged.colors.resize(merged.size(), colors[static_cast<std::size_t>(view % view_count)]);
  merged.precision = Precision::float32;
}

}  // namespace dovetail::app
