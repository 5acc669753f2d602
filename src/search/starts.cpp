// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/starts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dovetail/rotation.h"

namespace dovetail {

namespace {

constexpr double narrow_start = 0.2;  ///< of the radius: the kernel of a start that may be right
constexpr double ring_angle = 40 * std::numbers::pi / 180;
constexpr double beside = 0.5;  ///< of the radius: how far to either side of the centroid starts are

}  // namespace

IcpStart fine_start(const Similarity3& start, const Prepared& prepared, const IcpPlan& plan) {
  return {start, close_scale(prepared), std::min(1, plan.last_level())};
}

std::vector<IcpStart> starts_nearby(const Similarity3& start, const Prepared& prepared, unsigned free, int count) {
  if (count == 1) return {{.pose = start}};
  std::vector<IcpStart> starts{{start, narrow_start * prepared.source->radius}, {.pose = start}};
  const Vec3 center = start * prepared.source->centroid;
  const int turns = count - 2;
  const bool any_axis = (free & 0b111u) == 0b111u;
  std::vector<int> free_axes;
  for (int axis = 0; axis < 3; ++axis) {
    if ((free >> axis & 1u) != 0) free_axes.push_back(axis);
  }
  for (int i = 0; i < turns && !free_axes.empty(); ++i) {
    Vector<double, 7> x{};
    if (!prepared.source->tells_surface && any_axis) {
      // Whoever took a slice knows how level it is: turns in its plane, to both sides in steps up to the ring's angle.
      const double angle = (i % 2 == 0 ? 1 : -1) * ring_angle * (1.0 + i / 2) / ((turns + 1) / 2);
      const Vec3 turn = angle * (start.rotation * prepared.source->across);
      for (int axis = 0; axis < 3; ++axis) x[axis] = turn[axis];
    } else if (any_axis) {
      // A Fibonacci spiral: axes spread evenly over the sphere.
      const double z = 1 - (2 * i + 1.0) / turns, ring = std::sqrt(1 - z * z);
      const double angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
      x[0] = ring_angle * ring * std::cos(angle), x[1] = ring_angle * ring * std::sin(angle), x[2] = ring_angle * z;
    } else {
      // To both sides about each free axis in turn, in steps up to the ring's angle.
      const int sides = 2 * static_cast<int>(free_axes.size()), steps = (turns + sides - 1) / sides;
      const double side = i % 2 == 0 ? 1.0 : -1.0;
      x[free_axes[static_cast<std::size_t>(i / 2) % free_axes.size()]] = side * ring_angle * (1.0 + i / sides) / steps;
    }
    starts.push_back({.pose = step_about(center, x) * start});
  }
  return starts;
}

std::vector<Mat3> spread_rotations(unsigned free, int count) {
  std::vector<int> axes;
  for (int axis = 0; axis < 3; ++axis) {
    if ((free >> axis & 1u) != 0) axes.push_back(axis);
  }
  std::vector<Mat3> rotations{Mat3::identity()};
  const int turns = count - 1;
  for (int i = 0; i < turns && !axes.empty(); ++i) {
    if (axes.size() == 3) {
      // Super-Fibonacci spiral (Alexa 2022): evenly spread for any number of them.
      const double s = i + 0.5, t = s / turns, a = 2 * std::numbers::pi * s;
      const double alpha = a / std::numbers::sqrt2, beta = a / 1.533751168755204288118041;
      const double r = std::sqrt(t), q = std::sqrt(1 - t);
      rotations.push_back(matrix_from_quaternion(
          Quaternion<double>{q * std::cos(beta), r * std::sin(alpha), r * std::cos(alpha), q * std::sin(beta)}));
    } else {
      // Evenly around each free axis in turn.
      const int each = (turns + static_cast<int>(axes.size()) - 1) / static_cast<int>(axes.size());
      Vec3 turn{};
      turn[axes[static_cast<std::size_t>(i / each)]] = 2 * std::numbers::pi * (i % each + 1) / (each + 1);
      rotations.push_back(exp_so3(turn));
    }
  }
  return rotations;
}

std::vector<Similarity3> starts_over_rotations(const Similarity3& start, const Prepared& prepared, unsigned free,
                                               int count) {
  std::vector<Similarity3> starts{start};
  if (count == 1) return starts;
  std::vector<Vec3> corners{{}};
  Vec3 to_middle = prepared.target->centroid - start * prepared.source->centroid;
  for (int axis = 0; axis < 3; ++axis) {
    if ((free >> (3 + axis) & 1u) == 0) {
      to_middle[axis] = 0;
      continue;
    }
    for (const double side : {-beside, beside}) {
      Vec3 corner{};
      corner[axis] = side * prepared.source->radius;
      corners.push_back(corner);
    }
  }
  const Vec3 middle = start * prepared.source->centroid + to_middle;
  for (const Mat3& rotation : spread_rotations(free, count)) {
    for (const Vec3& corner : corners) {
      Similarity3 pose = start;
      pose.rotation = rotation * start.rotation;
      pose.translation = middle + corner - pose.scale * (pose.rotation * prepared.source->centroid);
      starts.push_back(pose);
    }
  }
  return starts;
}

namespace {

/// Numbers of the additive recurrence that fills d dimensions most evenly: powers of 1/φ with φ^(d+1) = φ + 1.
std::vector<double> even_steps(int dimensions) {
  double phi = 2;
  for (int i = 0; i < 60; ++i) phi = std::pow(1 + phi, 1.0 / (dimensions + 1));
  std::vector<double> steps;
  for (int d = 1; d <= dimensions; ++d) steps.push_back(std::pow(phi, -d));
  return steps;
}

}  // namespace

template <int D>
std::vector<Homogeneous<D>> starts_within(const ChamferPlan& plan, const Homogeneous<D>& start, const Ball<D>& observed,
                                          bool with_scale) {
  std::vector<Homogeneous<D>> starts{start};
  constexpr int turns = D == 2 ? 1 : 3;
  const std::vector<double> steps = even_steps(D + turns + (with_scale ? 1 : 0));
  chamfer::StepFrame<D> frame;
  frame.centre = image<D>(start, observed.centre);
  for (int i = 1; i < plan.starts; ++i) {
    typename Similarity<D>::Tangent step{};
    const auto next = [&](std::size_t d) {
      const double u = 0.5 + steps[d] * i;
      return 2 * (u - std::floor(u)) - 1;
    };
    for (int d = 0; d < D; ++d) step[turns + d] = plan.shift * next(static_cast<std::size_t>(d));
    for (int d = 0; d < turns; ++d) step[d] = plan.rotation * next(static_cast<std::size_t>(D + d));
    if (with_scale) step[turns + D] = plan.log_scale * next(steps.size() - 1);
    starts.push_back(chamfer::stepped<Similarity<D>>(frame, step, start));
  }
  return starts;
}

template std::vector<Homogeneous<2>> starts_within(const ChamferPlan&, const Homogeneous<2>&, const Ball<2>&, bool);
template std::vector<Homogeneous<3>> starts_within(const ChamferPlan&, const Homogeneous<3>&, const Ball<3>&, bool);

}  // namespace dovetail
