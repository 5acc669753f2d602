// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

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
void add_matrix(const Transform& pose, PoseLines& lines) {
  const int size = dimension(pose.model) == 2 ? 3 : 4;
  const Mat3 flat = pose.matrix2();
  for (int i = 0; i < size; ++i) {
    std::string row;
    for (int j = 0; j < size; ++j) row += fmt::format("{:>20.12g}", size == 3 ? flat(i, j) : pose.matrix(i, j));
    lines.emplace_back(i == 0 ? "matrix" : "", row);
  }
}

/// The linear part and the translation of either dimension; a 2D map turns about z.
void add_parts(const Transform& pose, const Fineness& fine, PoseLines& lines) {
  const int size = dimension(pose.model);
  const auto line = [&](const char* name, const std::string& text) { lines.emplace_back(name, text); };
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
      line("rotation", fmt::format("{:.{}f} degrees", turn[2] * degrees, decimals));
    } else if (angle * degrees < 0.5 * std::pow(10, -decimals)) {
      line("rotation", "none");
    } else {
      const Vec3 axis = turn * (1 / angle);
      const int digits = fine.decimals(fine.reach * angle, 4);
      line("rotation", fmt::format("{:.{}f} degrees about ({:.{}f}, {:.{}f}, {:.{}f})", angle * degrees, decimals,
                                   axis[0], digits, axis[1], digits, axis[2], digits));
    }
    if (!rigid) line("scale", number_text(scale, std::max(fine.decimals(fine.reach, 4), 8)));
    if (affine) line("stretch", stretch_text(linear, size));
  }
  const int decimals = fine.decimals(1, 0);
  std::string shift;
  for (int i = 0; i < size; ++i) shift += (i == 0 ? "(" : ", ") + number_text(pose.matrix(i, 3), decimals);
  line("translation", shift + ")");
}

}  // namespace

PoseLines pose_lines(const Registration& result) {
  const Transform& pose = result.target_from_source;
  PoseLines lines;
  if (pose.model != Model::projective2) add_parts(pose, fineness_of(result), lines);
  const bool wide = pose.model == Model::affine2 || pose.model == Model::affine3 || pose.model == Model::projective2;
  if (wide) add_matrix(pose, lines);
  return lines;
}

}  // namespace dovetail::app
