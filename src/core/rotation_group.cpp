// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "core/rotation_group.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/rotation.h"
#include "dovetail/error.h"
#include "dovetail/matrix_functions.h"

namespace dovetail {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double same =
    1e-6;  // of entries: products of a few exact rotations differ by rounding, others by 0.1 or more

Vec3 unit(const Vec3& v) { return (1 / norm(v)) * v; }

bool holds(const std::vector<Mat3>& group, const Mat3& r) {
  return std::any_of(group.begin(), group.end(), [&](const Mat3& g) { return row_sum_norm(g - r) < same; });
}

}  // namespace

Mat3 turn_about(const Vec3& unit_axis, double angle) { return exp_so3(angle * unit_axis); }

std::vector<Mat3> cyclic_group(int order) {
  std::vector<Mat3> group;
  for (int i = 0; i < order; ++i) group.push_back(turn_about({0, 0, 1}, 2 * pi * i / order));
  return group;
}

std::vector<Mat3> dihedral_group(int order) {
  std::vector<Mat3> group = cyclic_group(order);
  for (int i = 0; i < order; ++i) {
    group.push_back(turn_about({std::cos(pi * i / order), std::sin(pi * i / order), 0}, pi));
  }
  return group;
}

std::vector<Mat3> closure(std::span<const Mat3> generators, std::size_t most) {
  std::vector<Mat3> group{Mat3::identity()};
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (const Mat3& generator : generators) {
      const Mat3 product = nearest_rotation(generator * group[i]);
      if (holds(group, product)) continue;
      if (group.size() == most) throw InvalidArgument("generators: their products do not close");
      group.push_back(product);
    }
  }
  return group;
}

std::vector<Mat3> tetrahedral_group() {
  return closure(std::vector{turn_about(unit({1, 1, 1}), 2 * pi / 3), turn_about({0, 0, 1}, pi)}, 12);
}

std::vector<Mat3> octahedral_group() {
  return closure(std::vector{turn_about({0, 0, 1}, pi / 2), turn_about({1, 0, 0}, pi / 2)}, 24);
}

std::vector<Mat3> icosahedral_group() {
  const Vec3 fifths = unit({0, 1, std::numbers::phi});
  return closure(std::vector{turn_about(fifths, 2 * pi / 5), turn_about({0, 0, 1}, pi)}, 60);
}

std::vector<GroupAxis> axes_of(std::span<const Mat3> group) {
  std::vector<GroupAxis> axes;
  for (const Mat3& g : group) {
    const Vec3 turn = log_so3(g);
    if (!(norm(turn) > same)) continue;
    const Vec3 direction = unit(turn);
    const auto known = std::find_if(axes.begin(), axes.end(),
                                    [&](const GroupAxis& a) { return norm(cross(a.direction, direction)) < same; });
    known == axes.end() ? axes.push_back({direction, 2}) : static_cast<void>(++known->order);
  }
  std::stable_sort(axes.begin(), axes.end(), [](const GroupAxis& a, const GroupAxis& b) { return a.order > b.order; });
  return axes;
}

Mat3 frame_along(const Vec3& axis, const Vec3& across) {
  const Vec3 z = unit(axis);
  Vec3 x = across - dot(across, z) * z;
  if (!(norm(x) > 1e-9)) {
    int least = 0;
    for (int i = 1; i < 3; ++i) least = std::fabs(z[i]) < std::fabs(z[least]) ? i : least;
    Vec3 e{};
    e[least] = 1;
    x = e - z[least] * z;
  }
  x = unit(x);
  const Vec3 y = cross(z, x);
  return {x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]};
}

}  // namespace dovetail
