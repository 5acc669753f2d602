// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/surface_errors.h"

#include <cmath>
#include <limits>
#include <vector>

namespace dovetail::pose {
namespace {

/// The smallest over symmetries of the largest squared distance between place(truth with the symmetry, vertex) and the
/// estimate's. A symmetry is given up as soon as one vertex is as far off as the best symmetry's worst, and the vertex
/// that decided last is asked first: most cost a look or two.
template <class Place>
double least_worst(const Rigid3& estimate, const Rigid3& truth, std::span<const Vec3> vertices,
                   std::span<const Rigid3> symmetries, double limit, const Place& place) {
  std::vector<decltype(place(estimate, vertices[0]))> estimated;
  estimated.reserve(vertices.size());
  for (const Vec3& x : vertices) estimated.push_back(place(estimate, x));
  // A hair above, so that rounding of the square hides nothing that is below the limit.
  const double enough = limit * limit * (1 + 1e-12);
  double least = enough;
  std::size_t decisive = 0;
  for (const Rigid3& symmetry : symmetries) {
    const Rigid3 turned = truth * symmetry;
    double worst = 0;
    const auto look = [&](std::size_t i) {
      const double off = squared_norm(estimated[i] - place(turned, vertices[i]));
      if (!(off <= worst)) worst = std::isnan(off) ? std::numeric_limits<double>::infinity() : off, decisive = i;
    };
    if (!vertices.empty()) look(decisive);
    for (std::size_t i = 0; i < vertices.size() && worst < least; ++i) look(i);
    if (worst < least) least = worst;
  }
  return least < enough ? std::sqrt(least) : std::numeric_limits<double>::infinity();
}

}  // namespace

double mssd(const Rigid3& estimate, const Rigid3& truth, std::span<const Vec3> vertices,
            std::span<const Rigid3> symmetries, double limit) {
  return least_worst(estimate, truth, vertices, symmetries, limit,
                     [](const Rigid3& pose, const Vec3& x) { return pose * x; });
}

double mspd(const Rigid3& estimate, const Rigid3& truth, const Mat3& k, std::span<const Vec3> vertices,
            std::span<const Rigid3> symmetries, double limit) {
  return least_worst(estimate, truth, vertices, symmetries, limit, [&](const Rigid3& pose, const Vec3& x) {
    const Vec3 seen = k * (pose * x);
    return Vec2{seen[0] / seen[2], seen[1] / seen[2]};
  });
}

}  // namespace dovetail::pose
