// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <ostream>
#include <string>

#include "core/random.h"
#include "dovetail/registration.h"
#include "dovetail/transform.h"

namespace dovetail {

// How failed assertions show them.
inline void PrintTo(Metric metric, std::ostream* out) {
  const char* names[] = {"point_to_point", "point_to_plane", "plane_to_plane"};
  *out << names[static_cast<int>(metric)];
}
inline void PrintTo(Kernel kernel, std::ostream* out) {
  const char* names[] = {"none", "huber", "tukey", "geman_mcclure", "truncated"};
  *out << names[static_cast<int>(kernel)];
}
inline void PrintTo(Machine machine, std::ostream* out) {
  const char* names[] = {"automatic", "cpu", "cuda", "reference"};
  *out << names[static_cast<int>(machine)];
}
inline void PrintTo(Termination termination, std::ostream* out) {
  const char* names[] = {"converged",          "schedule_finished", "max_iterations",     "time_limit",
                         "no_correspondences", "degenerate",        "stopped_by_callback"};
  *out << names[static_cast<int>(termination)];
}

}  // namespace dovetail

namespace dovetail::test {

inline constexpr double degree = std::numbers::pi / 180;

/// The mean of the finite points that are not exactly at the origin.
inline Vec3 centroid(const PointCloud& cloud) {
  Vec3 sum{};
  double count = 0;
  for (const Vec3& p : cloud.positions) {
    const double size = squared_norm(p);
    if (!std::isfinite(size) || size == 0) continue;
    sum += p;
    ++count;
  }
  return (1 / count) * sum;
}

/// Turns about `about` by degrees around an axis of any length, then shifts.
inline Transform motion(const Vec3& axis, double degrees, const Vec3& shift, const Vec3& about = {}) {
  const Mat3 r = exp_so3(degrees * degree / norm(axis) * axis);
  return Rigid3{r, about + shift - r * about};
}
inline Transform motion2(double degrees, double x, double y) { return Rigid2{exp_so2(degrees * degree), {x, y}}; }

/// A turn up to `degrees` about a random axis through `about`, and a shift up to `length`, both with uniform sizes.
inline Transform random_motion(RandomStream& random, double degrees, double length, const Vec3& about) {
  const Vec3 axis = random.unit_vector(), direction = random.unit_vector();
  const double angle = degrees * random.uniform();
  return motion(axis, angle, length * random.uniform() * direction, about);
}

/// How far a pose is from the truth: the angle between them, and how far apart they put the source's centroid.
struct PoseError {
  double degrees = 0;
  double shift = 0;
};
inline PoseError pose_error(const Transform& found, const Transform& truth, const Vec3& source_centroid) {
  return {rotation_angle_between(found, truth) / degree, distance_between(found, truth, source_centroid)};
}
inline PoseError pose_error(const Transform& found, const Transform& truth, const PointCloud& source) {
  return pose_error(found, truth, centroid(source));
}

/// Both parts of the error as one length: the farthest a unit-sized cloud's point is off.
inline double distance_off(const Transform& found, const Transform& truth, const PointCloud& source) {
  const PoseError e = pose_error(found, truth, source);
  return e.shift + e.degrees * degree;
}

inline bool is_finite(const Transform& t) {
  for (int i = 0; i < 16; ++i) {
    if (!std::isfinite(t.matrix[i])) return false;
  }
  return true;
}

/// A usable result, near the truth.
inline void expect_near(const Registration& r, const Transform& truth, const PointCloud& source, double degrees,
                        double shift) {
  EXPECT_TRUE(r.usable()) << testing::PrintToString(r.termination) << ": " << r.message;
  const PoseError e = pose_error(r.target_from_source, truth, source);
  EXPECT_LE(e.degrees, degrees) << r.message;
  EXPECT_LE(e.shift, shift) << r.message;
}

}  // namespace dovetail::test
