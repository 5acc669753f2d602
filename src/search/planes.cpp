// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/planes.h"

#include <cmath>

#include "core/eigen_symmetric.h"
#include "core/random.h"

namespace dovetail {

namespace {

constexpr int most_planes = 8, draws = 120, fits = 3;
constexpr double parallel = 0.95;  // cosine between a point's normal and the plane's
constexpr std::size_t least_points = 60;
/// A square has a standard deviation of side / √12 along either axis.
constexpr double deviation_of_side = 0.28867513459481287;

struct Plane {
  Vec3 normal{}, through{};
};

/// The points that lie on a plane and face as it does, among those that are on none yet.
struct OnPlane {
  std::vector<std::uint32_t> slots;
  Plane fitted;
  double narrow = 0;  ///< deviation along its narrower side
};

class Finder {
 public:
  Finder(const TargetLevel& level, double distance, Backend& backend) : distance_(distance) {
    const NormalsView& n = level.normals;
    const std::uint32_t count = level.tree_view.count;
    const auto nx = backend.memory().get(n.x, count), ny = backend.memory().get(n.y, count),
               nz = backend.memory().get(n.z, count);
    for (std::uint32_t i = 0; i < count; ++i) {
      const TreePoint& p = level.tree->points()[i];
      points_.push_back({double{p.x}, double{p.y}, double{p.z}});
      normals_.push_back({double{nx[i]}, double{ny[i]}, double{nz[i]}});
    }
    taken.assign(count, 0);
  }

  std::vector<char> taken;
  const Vec3& point(std::uint32_t i) const { return points_[i]; }

  /// The plane that most points of a sample are on, fitted to all that are.
  OnPlane largest(RandomStream& random) const {
    std::vector<std::uint32_t> left;
    for (std::uint32_t i = 0; i < taken.size(); ++i) {
      if (taken[i] == 0 && squared_norm(normals_[i]) > 0) left.push_back(i);
    }
    OnPlane best;
    if (left.size() < least_points) return best;
    const std::size_t every = std::max<std::size_t>(1, left.size() / 2000);
    std::size_t most = 0;
    Plane chosen;
    for (int d = 0; d < draws; ++d) {
      const std::uint32_t at = left[random.below(static_cast<std::uint32_t>(left.size()))];
      const Plane plane{normals_[at], points_[at]};
      std::size_t met = 0;
      for (std::size_t i = 0; i < left.size(); i += every) met += on(plane, left[i]) ? 1 : 0;
      if (met > most) most = met, chosen = plane;
    }
    for (int fit = 0; fit < fits; ++fit) {
      best = fitted_to(chosen, left);
      if (best.slots.size() < least_points) return {};
      chosen = best.fitted;
    }
    return best;
  }

 private:
  bool on(const Plane& plane, std::uint32_t i) const {
    return std::fabs(dot(plane.normal, points_[i] - plane.through)) < distance_ &&
           std::fabs(dot(plane.normal, normals_[i])) > parallel;
  }
  OnPlane fitted_to(const Plane& plane, const std::vector<std::uint32_t>& among) const {
    OnPlane result;
    Vec3 sum{};
    for (const std::uint32_t i : among) {
      if (on(plane, i)) result.slots.push_back(i), sum += points_[i];
    }
    if (result.slots.size() < least_points) return result;
    const Vec3 mean = (1.0 / static_cast<double>(result.slots.size())) * sum;
    Symmetric<double, 3> scatter{};
    for (const std::uint32_t i : result.slots) {
      scatter.add_outer(1.0 / static_cast<double>(result.slots.size()), points_[i] - mean);
    }
    const auto axes = eigen_symmetric(scatter);
    result.fitted = {axes.vector(0), mean};
    result.narrow = std::sqrt(std::max(0.0, axes.values[1]));
    return result;
  }

  double distance_;
  std::vector<Vec3> points_, normals_;
};

}  // namespace

LargePlanes find_large_planes(const TargetLevel& level, double extent, double distance, std::uint64_t seed,
                              Backend& backend) {
  LargePlanes result;
  result.on.assign(level.tree->size(), 0);
  if (level.normals.x == nullptr) return result;
  Finder finder(level, distance, backend);
  RandomStream random(seed, 0x706c616e6573ull);
  for (int k = 0; k < most_planes; ++k) {
    const OnPlane plane = finder.largest(random);
    if (plane.slots.empty()) break;
    const bool large = plane.narrow > deviation_of_side * extent;
    if (large) result.planes.push_back({plane.fitted.normal, plane.fitted.through, {}});
    for (const std::uint32_t i : plane.slots) {
      finder.taken[i] = 1;
      if (!large) continue;
      result.on[i] = 1;
      result.planes.back().points.push_back(finder.point(i));
    }
  }
  return result;
}

}  // namespace dovetail
