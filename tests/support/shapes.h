// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "dovetail/points.h"

// Synthetic clouds about one unit in size. Another seed is another sampling of the same shape.

namespace dovetail::test {

/// `count` points of a shape given as point(random stream).
template <class Shape>
PointCloud sample(std::size_t count, std::uint64_t seed, const Shape& point) {
  PointCloud cloud;
  cloud.positions.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(seed, i);
    cloud.positions.push_back(point(random));
  }
  return cloud;
}

/// A wavy sheet with a hill off its middle: no symmetry, every motion is held.
inline double bumpy_height(double x, double y) {
  const double hill = std::exp(-((x - 0.2) * (x - 0.2) + (y + 0.1) * (y + 0.1)) / 0.02);
  return 0.08 * std::sin(9 * x + 0.4) * std::cos(11 * y) + 0.15 * hill + 0.1 * x * y - 0.2 * x * x;
}
inline PointCloud bumpy_surface(std::size_t count, std::uint64_t seed = 1) {
  return sample(count, seed, [](RandomStream& random) {
    const double x = random.uniform(-0.5, 0.5), y = random.uniform(-0.35, 0.35);
    return Vec3{x, y, bumpy_height(x, y)};
  });
}
/// The same with the surface's own normals.
inline PointCloud bumpy_surface_with_normals(std::size_t count, std::uint64_t seed = 1) {
  PointCloud cloud = bumpy_surface(count, seed);
  for (const Vec3& p : cloud.positions) {
    const double h = 1e-5;
    const Vec3 n{(bumpy_height(p[0] - h, p[1]) - bumpy_height(p[0] + h, p[1])) / (2 * h),
                 (bumpy_height(p[0], p[1] - h) - bumpy_height(p[0], p[1] + h)) / (2 * h), 1};
    cloud.normals.push_back((1 / norm(n) * n).cast<float>());
  }
  return cloud;
}

/// A sphere with bumps: closed, no symmetry.
inline PointCloud bumpy_sphere(std::size_t count, std::uint64_t seed = 1) {
  return sample(count, seed, [](RandomStream& random) {
    const Vec3 d = random.unit_vector();
    const double radius = 0.4 + 0.08 * d[0] * d[1] + 0.06 * d[2] * d[2] * d[2] + 0.05 * std::sin(4 * d[0] + 1) +
                          0.04 * std::cos(5 * d[1] + 2 * d[2]);
    return radius * d;
  });
}

/// Three walls of different sizes that meet at a corner.
inline PointCloud box_corner(std::size_t count, std::uint64_t seed = 1) {
  return sample(count, seed, [](RandomStream& random) {
    const double side[3] = {0.6, 0.45, 0.3};
    Vec3 p{};
    for (int axis = 0; axis < 3; ++axis) p[axis] = random.uniform(0, side[axis]);
    p[static_cast<int>(random.below(3))] = 0;
    return p;
  });
}

inline PointCloud plane(std::size_t count, std::uint64_t seed = 1) {
  return sample(count, seed, [](RandomStream& random) {
    const double x = random.uniform(-0.5, 0.5), y = random.uniform(-0.3, 0.3);
    return Vec3{x, y, 0.3 * x - 0.2 * y};
  });
}

/// The mantle of a cylinder along (1, 2, 2)/3, without its ends.
inline PointCloud cylinder(std::size_t count, std::uint64_t seed = 1) {
  return sample(count, seed, [](RandomStream& random) {
    const Vec3 axis = (1.0 / 3) * Vec3{1, 2, 2}, u = (1 / std::sqrt(5.0)) * Vec3{2, -1, 0}, v = cross(axis, u);
    const double along = random.uniform(-0.5, 0.5), angle = random.uniform(0, 2 * std::numbers::pi);
    return along * axis + 0.2 * std::cos(angle) * u + 0.2 * std::sin(angle) * v;
  });
}

inline PointCloud sphere(std::size_t count, std::uint64_t seed = 1) {
  return sample(count, seed, [](RandomStream& random) { return 0.4 * random.unit_vector(); });
}

/// A closed curve of the plane without symmetry.
inline PointCloud curve(std::size_t count, std::uint64_t seed = 1) {
  PointCloud cloud = sample(count, seed, [](RandomStream& random) {
    const double t = random.uniform(0, 2 * std::numbers::pi);
    const double radius = 0.3 + 0.1 * std::cos(t) + 0.06 * std::sin(2 * t) + 0.04 * std::cos(3 * t + 1);
    return Vec3{radius * std::cos(t), 1.3 * radius * std::sin(t), 0};
  });
  cloud.dimension = 2;
  return cloud;
}

/// The cloud with normal noise of this deviation on every coordinate (x and y in 2D).
inline PointCloud noisy(PointCloud cloud, double deviation, std::uint64_t seed) {
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    RandomStream random(seed, i);
    for (int axis = 0; axis < cloud.dimension; ++axis) cloud.positions[i][axis] += deviation * random.normal();
  }
  return cloud;
}

/// The cloud and as many points more, anywhere in a box twice its size, that they make up `share` of the result.
inline PointCloud with_outliers(PointCloud cloud, double share, std::uint64_t seed) {
  Vec3 low = cloud.positions.front(), high = low;
  for (const Vec3& p : cloud.positions) {
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  }
  const auto count = static_cast<std::size_t>(std::lround(share / (1 - share) * static_cast<double>(cloud.size())));
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(seed, i);
    Vec3 p{};
    for (int axis = 0; axis < cloud.dimension; ++axis) {
      const double half = 0.5 * (high[axis] - low[axis]);
      p[axis] = random.uniform(low[axis] - half, high[axis] + half);
    }
    cloud.positions.push_back(p);
  }
  return cloud;
}

/// A permutation of 0 .. count − 1 (Fisher and Yates).
inline std::vector<std::size_t> permutation(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  RandomStream random(seed, 0);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  return order;
}

/// The points of a cloud without attributes in another order.
inline PointCloud shuffled(const PointCloud& cloud, std::uint64_t seed) {
  PointCloud result = cloud;
  const std::vector<std::size_t> order = permutation(cloud.size(), seed);
  for (std::size_t i = 0; i < order.size(); ++i) result.positions[i] = cloud.positions[order[i]];
  return result;
}

/// The first `share` of a cloud along a direction.
inline PointCloud part_of(const PointCloud& cloud, const Vec3& direction, double share) {
  PointCloud result = cloud;
  const auto before = [&](const Vec3& a, const Vec3& b) { return dot(a, direction) < dot(b, direction); };
  std::sort(result.positions.begin(), result.positions.end(), before);
  result.positions.resize(static_cast<std::size_t>(share * static_cast<double>(cloud.size())));
  return result;
}

inline PointCloud scaled(PointCloud cloud, double factor) {
  for (Vec3& p : cloud.positions) p = factor * p;
  return cloud;
}

}  // namespace dovetail::test
