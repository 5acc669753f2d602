// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.h"
#include "dovetail/points.h"

// A mesh looked at in another way than the library does: every triangle in turn, in double.

namespace dovetail::test {

struct Triangle {
  Vec3 a, b, c;

  /// Heron's formula in the form that is exact for needles (Kahan).
  double area() const {
    double s[3] = {norm(b - a), norm(c - b), norm(a - c)};
    std::sort(s, s + 3);
    const double x = s[2], y = s[1], z = s[0];
    return 0.25 * std::sqrt(std::max(0.0, (x + (y + z)) * (z - (x - y)) * (z + (x - y)) * (x + (y - z))));
  }
};

inline std::vector<Triangle> triangles_of(const PointCloud& mesh) {
  std::vector<Triangle> triangles;
  const auto at = [&](std::uint32_t i) { return mesh.positions[mesh.faces.index[i]]; };
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const std::uint32_t first = mesh.faces.start[f];
    for (std::uint32_t i = first + 2; i < mesh.faces.start[f + 1]; ++i)
      triangles.push_back({at(first), at(i - 1), at(i)});
  }
  return triangles;
}

/// Points spread evenly over the surface.
inline std::vector<Vec3> random_surface_points(const PointCloud& mesh, std::size_t count, std::uint64_t seed) {
  const std::vector<Triangle> triangles = triangles_of(mesh);
  std::vector<double> up_to;
  for (const Triangle& t : triangles) up_to.push_back(t.area() + (up_to.empty() ? 0 : up_to.back()));
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) {
    RandomStream random(seed, i);
    const auto chosen = std::upper_bound(up_to.begin(), up_to.end() - 1, random.uniform(0, up_to.back()));
    const Triangle& t = triangles[static_cast<std::size_t>(chosen - up_to.begin())];
    double u = random.uniform(), v = random.uniform();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    points.push_back(t.a + u * (t.b - t.a) + v * (t.c - t.a));
  }
  return points;
}

inline double squared_distance_to_points(const Vec3& p, const std::vector<Vec3>& points) {
  double best = HUGE_VAL;
  for (const Vec3& q : points) best = std::min(best, squared_norm(q - p));
  return best;
}

inline double distance_to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const double length = squared_norm(b - a);
  const double t = length > 0 ? std::clamp(dot(p - a, b - a) / length, 0.0, 1.0) : 0;
  return norm(p - (a + t * (b - a)));
}

inline double distance_to_triangle(const Vec3& p, const Triangle& t) {
  const double edges =
      std::min({distance_to_segment(p, t.a, t.b), distance_to_segment(p, t.b, t.c), distance_to_segment(p, t.c, t.a)});
  const Vec3 normal = cross(t.b - t.a, t.c - t.a);
  const double size = norm(normal);
  if (!(size > 0)) return edges;
  const bool above = dot(cross(t.b - t.a, p - t.a), normal) >= 0 && dot(cross(t.c - t.b, p - t.b), normal) >= 0 &&
                     dot(cross(t.a - t.c, p - t.c), normal) >= 0;
  return above ? std::min(edges, std::fabs(dot(p - t.a, normal)) / size) : edges;
}

inline double distance_to_mesh(const Vec3& p, const PointCloud& mesh) {
  double best = HUGE_VAL;
  for (const Triangle& t : triangles_of(mesh)) best = std::min(best, distance_to_triangle(p, t));
  return best;
}

}  // namespace dovetail::test
