// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>

#include "core/smallest_eigenvector.h"
#include "core/symmetric.h"
#include "dovetail/host_device.h"
#include "dovetail/matrix.h"
#include "spatial/kd_tree.h"
#include "spatial/neighbours.h"

namespace dovetail {

inline constexpr int max_normal_neighbours = 32;

struct NormalSettings {
  int neighbours = 16;         ///< the point itself included, 3 to max_normal_neighbours
  int dimension = 3;           ///< 2: z is 0 and the normal lies in the plane
  bool has_viewpoint = false;  ///< normals point to `viewpoint`, else their (first) largest component is positive
  Vec3f viewpoint{};           ///< in the coordinates of the points
};

/// How the neighbours of a point lie about it.
struct Surroundings {
  float spacing = 0;    ///< that the points of a surface (in 2D a line) would have, as many of them as there are here
  float thickness = 0;  ///< root mean square distance of the neighbours from the plane (in 2D the line) through them
  float lopsided = 0;   ///< their mean's distance over the farthest one's: 0 they are all about, 0.4 a border
};

struct NormalEstimate {
  Vec3f normal{};       ///< zero where the neighbours coincide or, in 3D, lie on a line
  float variation = 0;  ///< smallest eigenvalue of the covariance over their sum: 0 flat, 1/3 (in 2D 1/2) isotropic
  Surroundings around;
};

namespace detail {

/// Below this ratio of the middle to the largest eigenvalue neighbours are a line. Their spread across it is then less
/// than a thousandth of that along it, which is what rounding to float leaves of a line in a large cloud.
inline constexpr double line_ratio = 1e-6;

DOVETAIL_HD inline NormalEstimate normal_in_space(const Symmetric<double, 3>& c) {
  const Vec3 n = smallest_eigenvector(c);
  const double total = c.trace();
  const double smallest = dot(n, c * n);
  const double rest = total - smallest;
  // The second invariant is the sum of the products of eigenvalue pairs; what it holds beyond those of the smallest is
  // the product of the other two.
  const double pairs = c(0, 0) * c(1, 1) - c(0, 1) * c(0, 1) + c(0, 0) * c(2, 2) - c(0, 2) * c(0, 2) +
                       c(1, 1) * c(2, 2) - c(1, 2) * c(1, 2);
  const double product = pairs - smallest * rest;
  if (!(product > line_ratio * rest * rest)) return {};
  return {n.cast<float>(), static_cast<float>(smallest > 0 ? smallest / total : 0), {}};
}

DOVETAIL_HD inline NormalEstimate normal_in_plane(double xx, double xy, double yy) {
  const double half_difference = 0.5 * (xx - yy);
  const double radius = std::sqrt(half_difference * half_difference + xy * xy);
  const double total = xx + yy;
  if (!(total > 0)) return {};
  // The direction of the larger eigenvalue, from the form that does not cancel; the normal is across it.
  double along_x = 1, along_y = 0;
  if (radius > 0) {
    along_x = half_difference >= 0 ? half_difference + radius : xy;
    along_y = half_difference >= 0 ? xy : radius - half_difference;
  }
  const double length = std::sqrt(along_x * along_x + along_y * along_y);
  const double smallest = 0.5 * total - radius;
  return {{static_cast<float>(-along_y / length), static_cast<float>(along_x / length), 0.0f},
          static_cast<float>(smallest > 0 ? smallest / total : 0),
          {}};
}

/// A component must be this much larger to decide in the place of an earlier one: in directions like (1, 1, 0) rounding
/// alone must not turn the sign.
inline constexpr float clearly_larger = 1.01f;

/// One of the two signs, by a rule.
DOVETAIL_HD inline Vec3f oriented(const Vec3f& n, const Vec3f& p, const NormalSettings& settings) {
  float decisive = 0;
  if (settings.has_viewpoint) decisive = dot(n, settings.viewpoint - p);
  if (decisive == 0) {
    decisive = n[0];
    if (std::fabs(n[1]) > clearly_larger * std::fabs(decisive)) decisive = n[1];
    if (std::fabs(n[2]) > clearly_larger * std::fabs(decisive)) decisive = n[2];
  }
  return decisive < 0 ? -n : n;
}

/// `offset` is the length of the neighbours' sum, `across` their scatter along the normal.
template <class Neighbours>
DOVETAIL_HD inline Surroundings surroundings(int count, const Neighbours& neighbours, double offset, double across,
                                             const NormalSettings& settings) {
  if (count < 2) return {};
  const double farthest = std::sqrt(static_cast<double>(neighbours[count - 1].squared_distance));
  if (!(farthest > 0)) return {};
  constexpr double circle = 3.14159265358979323846;
  const double spacing = settings.dimension == 2 ? 2 * farthest / count : farthest * std::sqrt(circle / count);
  return {static_cast<float>(spacing), static_cast<float>(std::sqrt(across / count)),
          static_cast<float>(offset / count / farthest)};
}

}  // namespace detail

/// The normal at a point from its neighbours (KNearest or alike, of slots of the tree): the direction in which they
/// spread least. Moments are taken about the point, in double, nearest neighbour first.
template <class Neighbours>
DOVETAIL_HD NormalEstimate normal_from_neighbours(const KdTreeView& tree, const Vec3f& point,
                                                  const Neighbours& neighbours, const NormalSettings& settings) {
  Vec3 sum{};
  Symmetric<double, 3> c{};
  const int count = neighbours.size();
  for (int i = 0; i < count; ++i) {
    const TreePoint other = tree.points[neighbours[i].slot];
    const Vec3 d = Vec3f{other.x - point[0], other.y - point[1], other.z - point[2]}.template cast<double>();
    sum += d;
    c.add_outer(1.0, d);
  }
  if (count > 0) c.add_outer(-1.0 / count, sum);
  NormalEstimate estimate =
      settings.dimension == 2 ? detail::normal_in_plane(c(0, 0), c(0, 1), c(1, 1)) : detail::normal_in_space(c);
  estimate.normal = detail::oriented(estimate.normal, point, settings);
  estimate.around =
      detail::surroundings(count, neighbours, norm(sum), double{estimate.variation} * c.trace(), settings);
  return estimate;
}

}  // namespace dovetail
