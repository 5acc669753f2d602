// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/bulk_distance.h"

#include <algorithm>
#include <cmath>

#include "core/symmetric.h"
#include "dovetail/matrix_functions.h"

namespace dovetail::pose {
namespace {

/// Sums over a surface: area, area × x, area × x xᵀ.
struct SurfaceSums {
  double area = 0;
  Vec3 first{};
  Symmetric<double, 3> second{};

  void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double size = 0.5 * norm(cross(b - a, c - a));
    const Vec3 sum = a + b + c;
    area += size;
    first += (size / 3) * sum;
    for (const Vec3& x : {a, b, c, sum}) second.add_outer(size / 12, x);
  }
  void add_point(const Vec3& x) {
    area += 1;
    first += x;
    second.add_outer(1, x);
  }
};

/// About a point near the surface, so that no digits are lost. A mesh without area counts by its points.
SurfaceSums surface_sums(const PointCloud& mesh, const Vec3& origin) {
  SurfaceSums sums;
  for (std::size_t face = 0; face < mesh.faces.size(); ++face) {
    const std::uint32_t begin = mesh.faces.start[face], end = mesh.faces.start[face + 1];
    const auto corner = [&](std::uint32_t k) { return mesh.positions[mesh.faces.index[k]] - origin; };
    for (std::uint32_t k = begin + 2; k < end; ++k) sums.add_triangle(corner(begin), corner(k - 1), corner(k));
  }
  if (sums.area > 0) return sums;
  sums = {};
  for (const Vec3& p : mesh.positions) sums.add_point(p - origin);
  return sums;
}

/// The point nearest to all of the axes; of one axis the point of it nearest to `p`.
Vec3 onto_axes(const std::vector<io::BopAxis>& axes, bool all_one, const Vec3& p) {
  if (axes.empty()) return p;
  if (all_one) return axes[0].through + dot(p - axes[0].through, axes[0].direction) * axes[0].direction;
  Mat3 across_all{};
  Vec3 right{};
  for (const io::BopAxis& axis : axes) {
    const Mat3 across = Mat3::identity() - axis.direction * transpose(axis.direction);
    across_all += across;
    right += across * axis.through;
  }
  return solve_linear(across_all, right);
}

/// Whether all axes have one direction, either way round.
bool have_one_direction(const std::vector<io::BopAxis>& axes) {
  return std::all_of(axes.begin(), axes.end(),
                     [&](const io::BopAxis& axis) { return norm(cross(axis.direction, axes[0].direction)) < 1e-6; });
}

}  // namespace

BulkDistance bulk_distance(const PointCloud& mesh, const io::BopObject& object) {
  const Vec3 origin = mesh.positions.front();
  const SurfaceSums sums = surface_sums(mesh, origin);
  const Vec3 mean = (1 / sums.area) * sums.first;
  const bool one_axis = have_one_direction(object.continuous);
  Vec3 center = onto_axes(object.continuous, one_axis, origin + mean), sum = center;
  for (const Rigid3& symmetry : object.discrete) sum += symmetry * center;
  center = onto_axes(object.continuous, one_axis, (1.0 / static_cast<double>(object.discrete.size() + 1)) * sum);

  Symmetry symmetry;
  symmetry.center = center;
  // About the centre: about the mean, and what the mean is off.
  Symmetric<double, 3> about = sums.second;
  about *= 1 / sums.area;
  about.add_outer(-1, mean);
  about.add_outer(1, origin + mean - center);
  symmetry.covariance = about.to_matrix();
  for (const Rigid3& given : object.discrete) {
    const Mat3 rotation = polar_rotation(given.rotation);  // exact, whatever digits the file has
    symmetry.rotations.push_back(Rigid3{rotation, center - rotation * center});
  }
  if (!object.continuous.empty()) {
    const Vec3 axis = object.continuous[0].direction;
    const bool flips = std::any_of(object.discrete.begin(), object.discrete.end(),
                                   [&](const Rigid3& rotation) { return dot(rotation.rotation * axis, axis) < 0; });
    symmetry.axes = {{axis, center, 0}};
    symmetry.kind = !one_axis ? SymmetryKind::sphere
                    : flips   ? SymmetryKind::revolution_with_flips
                              : SymmetryKind::revolution;
  }
  double radius = 0;
  for (const Vec3& p : mesh.positions) radius = std::max(radius, norm(p - center));
  return {PoseDistance(symmetry), 2 * radius};
}

}  // namespace dovetail::pose
