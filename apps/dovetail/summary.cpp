// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "summary.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

namespace dovetail::app {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

void line(const char* name, const std::string& text) { fmt::print("  {:<12} {}\n", name, text); }

std::string vector_text(const Vec3& v, int dimension) {
  return dimension == 2 ? fmt::format("({:.6g}, {:.6g})", v[0], v[1])
                        : fmt::format("({:.6g}, {:.6g}, {:.6g})", v[0], v[1], v[2]);
}

/// The linear part and the translation of either dimension; a 2D map turns about z.
void print_pose(const Transform& pose) {
  const int size = dimension(pose.model);
  Mat3 linear = Mat3::identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) linear(i, j) = pose.matrix(i, j);
  }
  const double area_or_volume = determinant(linear);
  if (area_or_volume > 0) {
    const double scale = size == 2 ? std::sqrt(area_or_volume) : std::cbrt(area_or_volume);
    const Vec3 turn = size == 2 ? Vec3{0, 0, std::atan2(linear(1, 0) - linear(0, 1), linear(0, 0) + linear(1, 1))}
                                : log_so3(polar_rotation(linear));
    const double angle = norm(turn);
    if (size == 2) {
      line("rotation", fmt::format("{:.4f} degrees", turn[2] * degrees));
    } else if (angle * degrees < 5e-5) {
      line("rotation", "none");
    } else {
      const Vec3 axis = turn * (1 / angle);
      line("rotation",
           fmt::format("{:.4f} degrees about ({:.4f}, {:.4f}, {:.4f})", angle * degrees, axis[0], axis[1], axis[2]));
    }
    if (pose.model == Model::similarity2 || pose.model == Model::similarity3)
      line("scale", fmt::format("{:.8g}", scale));
  }
  line("translation", vector_text({pose.matrix(0, 3), pose.matrix(1, 3), pose.matrix(2, 3)}, size));
}

}  // namespace

void print_summary(const Registration& r) {
  fmt::print("{}: {}\n", r.usable() ? "usable" : "NOT USABLE", r.message);
  print_pose(r.target_from_source);
  if (r.target_frame) line("frame", to_proj_string(*r.target_frame));
  if (!r.finished_by.empty()) line("finish", "by " + r.finished_by);
  line("rmse", fmt::format("{:.6g} over inliers", r.rmse));
  line("inliers", fmt::format("{:.1f}% of {} source points, within {:.4g} of {} target points", 100 * r.inlier_ratio,
                              r.points.source, r.inlier_distance, r.points.target));
  line("overlap", fmt::format("{:.1f}%", 100 * r.overlap));
  if (r.expected_error) {
    line("expected", fmt::format("{:.3g} off in the root mean square, if this is the right place", *r.expected_error));
  }
  if (r.margin && r.method == "chamfer") {  // the next best may also be the answer itself, slid along a road
    line("margin", fmt::format("{:.2f} over what fits next best; {} other answers", *r.margin, r.alternatives.size()));
  } else if (r.margin) {
    line("margin", r.alternatives.empty()
                       ? fmt::format("{:.2f}, every start led to this answer", *r.margin)
                       : fmt::format("{:.2f} over the best of {} other answers", *r.margin, r.alternatives.size()));
  }
  for (const WeakDirection& d : r.weak_directions) {
    line("weak", fmt::format("rotation {} with shift {}", vector_text(d.rotation, 3), vector_text(d.translation, 3)));
  }
  const std::size_t dropped = r.points.dropped_non_finite + r.points.dropped_at_origin;
  if (dropped > 0) {
    line("dropped", fmt::format("{} points not finite, {} no-return marks at the origin", r.points.dropped_non_finite,
                                r.points.dropped_at_origin));
  }
  line("machine", fmt::format("{} ({})", r.machine, r.build));
  line("time", fmt::format("read {:.1f} ms, prepare {:.1f} ms, loop {:.1f} ms", r.time_ms.read, r.time_ms.prepare,
                           r.time_ms.loop));
  for (const std::string& warning : r.warnings) line("warning", warning);
}

void print_warnings(const Registration& result) {
  for (const std::string& warning : result.warnings) fmt::print(stderr, "dovetail: warning: {}\n", warning);
}

}  // namespace dovetail::app
