// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "command.h"

namespace dovetail::app {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

/// How finely a pose has to be told: so that it puts points where it does to within `length`, where they are up to
/// `reach` from the origin.
struct Fineness {
  double length = 0, reach = 1;

  /// Decimals for numbers that this many lengths depend on.
  int decimals(double lever, int least) const {
    const double step = length / lever;
    if (!(step > 0) || !std::isfinite(step)) return std::max(least, 6);
    return std::clamp(static_cast<int>(std::ceil(-std::log10(step))), least, 15);
  }
};

Fineness fineness_of(const Registration& r) {
  const Mat4& m = r.target_from_source.matrix;
  Fineness fine;
  // Inliers are told by about a fortieth of the data's radius, or finer: this is less than a millionth of its size.
  fine.length = 1e-5 * r.inlier_distance;
  fine.reach = std::max({norm(Vec3{m(0, 3), m(1, 3), m(2, 3)}), norm(r.covariance_center), r.inlier_distance});
  return fine;
}

/// Without the zeros at the end that decimals bring.
std::string number_text(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

/// How much a linear map stretches along its two or three own directions, the most first.
std::string stretch_text(const Mat3& linear, int size) {
  const Mat3 square = transpose(linear) * linear;  // its eigenvalues by turning pairs of axes until it is diagonal
  Mat3 a = square;
  for (int turn = 0; turn < 30; ++turn) {
    const int p = turn % 3 == 2 ? 1 : 0, q = turn % 3 == 0 ? 1 : 2;
    if (q >= size || a(p, q) == 0) continue;
    const double angle = 0.5 * std::atan2(2 * a(p, q), a(q, q) - a(p, p));
    Mat3 rotation = Mat3::identity();
    rotation(p, p) = rotation(q, q) = std::cos(angle);
    rotation(p, q) = std::sin(angle), rotation(q, p) = -std::sin(angle);
    a = transpose(rotation) * a * rotation;
  }
  std::vector<double> values;
  for (int i = 0; i < size; ++i) values.push_back(std::sqrt(std::max(0.0, a(i, i))));
  std::sort(values.rbegin(), values.rend());
  return fmt::format("{:.8g}", fmt::join(values, ", "));
}

/// The rows that files and JSON have.
void print_matrix(const Transform& pose) {
  const int size = dimension(pose.model) == 2 ? 3 : 4;
  const Mat3 flat = pose.matrix2();
  for (int i = 0; i < size; ++i) {
    std::string row;
    for (int j = 0; j < size; ++j) row += fmt::format("{:>20.12g}", size == 3 ? flat(i, j) : pose.matrix(i, j));
    print_line(i == 0 ? "matrix" : "", row);
  }
}

/// The linear part and the translation of either dimension; a 2D map turns about z.
void print_parts(const Transform& pose, const Fineness& fine) {
  const int size = dimension(pose.model);
  Mat3 linear = Mat3::identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) linear(i, j) = pose.matrix(i, j);
  }
  const double area_or_volume = determinant(linear);
  const bool rigid = pose.model == Model::rigid2 || pose.model == Model::rigid3;
  const bool affine = pose.model == Model::affine2 || pose.model == Model::affine3;
  if (area_or_volume > 0) {
    const double scale = size == 2 ? std::sqrt(area_or_volume) : std::cbrt(area_or_volume);
    const Vec3 turn = size == 2 ? Vec3{0, 0, std::atan2(linear(1, 0) - linear(0, 1), linear(0, 0) + linear(1, 1))}
                                : log_so3(polar_rotation(linear));
    const double angle = norm(turn);
    const int decimals = fine.decimals(fine.reach / degrees, 4);
    if (size == 2) {
      print_line("rotation", fmt::format("{:.{}f} degrees", turn[2] * degrees, decimals));
    } else if (angle * degrees < 0.5 * std::pow(10, -decimals)) {
      print_line("rotation", "none");
    } else {
      const Vec3 axis = turn * (1 / angle);
      const int digits = fine.decimals(fine.reach * angle, 4);
      print_line("rotation", fmt::format("{:.{}f} degrees about ({:.{}f}, {:.{}f}, {:.{}f})", angle * degrees, decimals,
                                         axis[0], digits, axis[1], digits, axis[2], digits));
    }
    if (!rigid) print_line("scale", number_text(scale, std::max(fine.decimals(fine.reach, 4), 8)));
    if (affine) print_line("stretch", stretch_text(linear, size));
  }
  const int decimals = fine.decimals(1, 0);
  std::string shift;
  for (int i = 0; i < size; ++i) shift += (i == 0 ? "(" : ", ") + number_text(pose.matrix(i, 3), decimals);
  print_line("translation", shift + ")");
}

std::string vector_text(const Vec3& v, int dimension) {
  return dimension == 2 ? fmt::format("({:.6g}, {:.6g})", v[0], v[1])
                        : fmt::format("({:.6g}, {:.6g}, {:.6g})", v[0], v[1], v[2]);
}

/// The pose: rotation, scale and translation with the digits that the data's size and its distance from the origin ask
/// for; the matrix where these do not say all.
void print_pose(const Registration& result) {
  const Transform& pose = result.target_from_source;
  if (pose.model != Model::projective2) print_parts(pose, fineness_of(result));
  const bool wide = pose.model == Model::affine2 || pose.model == Model::affine3 || pose.model == Model::projective2;
  if (wide) print_matrix(pose);
}

/// The result in a few lines for a person, on stdout.
void print_summary(const Registration& r) {
  fmt::print("{}: {}\n", r.usable() ? "usable" : "NOT USABLE", r.message);
  print_pose(r);
  if (r.target_frame) print_line("frame", to_proj_string(*r.target_frame));
  if (r.source_frame && r.source_frame != r.target_frame) print_line("source frame", to_proj_string(*r.source_frame));
  if (r.confidence) {
    print_line(
        "confidence",
        fmt::format("{:.2f} that this is right, within 5 degrees and a tenth of the source's radius", *r.confidence));
  }
  if (!r.finished_by.empty()) print_line("finish", "by " + r.finished_by);
  print_line("rmse", fmt::format("{:.6g} over inliers", r.rmse));
  print_line("inliers", fmt::format("{:.1f}% of {} source points, within {:.4g} of {} target points",
                                    100 * r.inlier_ratio, r.points.source, r.inlier_distance, r.points.target));
  print_line("overlap", fmt::format("{:.1f}%", 100 * r.overlap));
  if (r.expected_error) {
    print_line("expected",
               fmt::format("{:.3g} off in the root mean square, if this is the right place", *r.expected_error));
  }
  if (r.margin && r.method == "chamfer") {  // the next best may also be the answer itself, slid along a road
    print_line("margin",
               fmt::format("{:.2f} over what fits next best; {} other answers", *r.margin, r.alternatives.size()));
  } else if (r.margin) {
    print_line("margin", r.alternatives.empty() ? fmt::format("{:.2f}, every start led to this answer", *r.margin)
                                                : fmt::format("{:.2f} over the best of {} other answers", *r.margin,
                                                              r.alternatives.size()));
  }
  for (const WeakDirection& d : r.weak_directions) {
    print_line("weak",
               fmt::format("rotation {} with shift {}", vector_text(d.rotation, 3), vector_text(d.translation, 3)));
  }
  const std::size_t dropped = r.points.dropped_non_finite + r.points.dropped_at_origin;
  if (dropped > 0) {
    print_line("dropped", fmt::format("{} points not finite, {} no-return marks at the origin",
                                      r.points.dropped_non_finite, r.points.dropped_at_origin));
  }
  print_line("machine", fmt::format("{} ({})", r.machine, r.build));
  print_line("time", fmt::format("read {:.1f} ms, prepare {:.1f} ms, loop {:.1f} ms", r.time_ms.read, r.time_ms.prepare,
                                 r.time_ms.loop));
  for (const std::string& warning : r.warnings) print_line("warning", warning);
}

}  // namespace

void print_line(const char* name, const std::string& text) { fmt::print("  {:<12} {}\n", name, text); }

void tell(const Registration& result, bool on_stdout, Attempts& attempt) {
  if (on_stdout) {
    print_summary(result);
    attempt(flush_stdout);
  } else {
    for (const std::string& warning : result.warnings) print_error("dovetail: warning: {}\n", warning);
  }
}

int exit_code(const Registration& result, const Attempts& attempt) {
  return attempt.failed() ? world_failure : result.usable() ? success : not_usable;
}

}  // namespace dovetail::app
