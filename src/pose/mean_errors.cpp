// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/mean_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "pose/bop_symmetries.h"
#include "spatial/kd_search.h"
#include "spatial/kd_tree.h"

namespace dovetail::pose {
namespace {

/// The nearest of points in double, by a tree that has them in float about an origin: what the tree cannot tell apart
/// is told apart here.
class NearestInDouble {
 public:
  NearestInDouble(std::span<const Vec3> points, const Vec3& query, double rounding)
      : points_(points), query_(query), rounding_(rounding) {}

  float worst() const { return worst_; }
  bool offer(const Neighbour& candidate) {
    if (!(candidate.squared_distance <= worst_)) return false;
    const double distance = norm(points_[candidate.index] - query_);
    if (distance < best_) {
      best_ = distance;
      const double reach = distance + rounding_;
      worst_ = static_cast<float>(1.000001 * reach * reach);
    }
    return true;
  }
  double best() const { return best_; }

 private:
  std::span<const Vec3> points_;
  Vec3 query_;
  double rounding_, best_ = std::numeric_limits<double>::infinity();
  float worst_ = std::numeric_limits<float>::infinity();
};

/// The sum of the distances of corresponding vertices, given up where it reaches `enough`.
double sum_of_distances(const Rigid3& a, const Rigid3& b, std::span<const Vec3> vertices, double enough) {
  double sum = 0;
  for (std::size_t i = 0; i < vertices.size() && sum < enough; ++i) sum += norm(a * vertices[i] - b * vertices[i]);
  return sum;
}

/// The angle of a rotation's twist about an axis, which is what it does about it.
double twist(const Mat3& rotation, const Vec3& axis) {
  const Quaternion<double> q = quaternion_from_matrix(rotation);
  return 2 * std::atan2(q[1] * axis[0] + q[2] * axis[1] + q[3] * axis[2], q[0]);
}

/// a, b, c of Rz(c) Ry(b) Rx(a).
std::array<double, 3> angles_of(const Mat3& r) {
  return {std::atan2(r(2, 1), r(2, 2)), std::asin(std::clamp(-r(2, 0), -1.0, 1.0)), std::atan2(r(1, 0), r(0, 0))};
}

}  // namespace

double add_error(const Rigid3& estimate, const Rigid3& truth, std::span<const Vec3> vertices) {
  return sum_of_distances(estimate, truth, vertices, std::numeric_limits<double>::infinity()) /
         static_cast<double>(vertices.size());
}

double adi_error(const Rigid3& estimate, const Rigid3& truth, std::span<const Vec3> vertices) {
  const Vec3 origin = estimate.translation;
  std::vector<Vec3> estimated;
  std::vector<Vec3f> local;
  double extent = 0;
  for (const Vec3& x : vertices) {
    estimated.push_back(estimate * x - origin);
    local.push_back(estimated.back().cast<float>());
    extent = std::max(extent, norm(estimated.back()));
  }
  const KdTree tree(local);
  double sum = 0;
  for (const Vec3& x : vertices) {
    const Vec3 query = truth * x - origin;
    // Coordinates of both sides are rounded to float: six parts in 10⁸ of each.
    NearestInDouble nearest(estimated, query, 4e-7 * (extent + norm(query)));
    search(tree.view(), static_cast<float>(query[0]), static_cast<float>(query[1]), static_cast<float>(query[2]),
           nearest);
    sum += nearest.best();
  }
  return sum / static_cast<double>(vertices.size());
}

VertexError vertex_error(const Rigid3& estimate, const Rigid3& truth, std::span<const Vec3> vertices,
                         std::span<const Rigid3> symmetries, std::span<const io::BopAxis> axes, double limit) {
  const double enough = limit * static_cast<double>(vertices.size());
  double least = enough;
  Rigid3 nearest = truth;
  const auto consider = [&](const Rigid3& turned) {
    const double sum = sum_of_distances(estimate, turned, vertices, least);
    if (sum < least) least = sum, nearest = turned;
  };
  for (const Rigid3& symmetry : symmetries) consider(truth * symmetry);
  if (!(least < enough)) return {std::numeric_limits<double>::infinity(), {}, 0};
  for (const io::BopAxis& axis : axes) {
    consider(nearest * turn_about(axis, twist(transpose(nearest.rotation) * estimate.rotation, axis.direction)));
  }
  const Mat3 off = estimate.rotation * transpose(nearest.rotation);
  return {least / static_cast<double>(vertices.size()), angles_of(off), rotation_angle(off)};
}

}  // namespace dovetail::pose
