// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "spatial/kd_tree.h"
#include "spatial/normal_from_neighbours.h"
#include "spatial/sample_points.h"

namespace dovetail::test {

/// Normals and variation in arrays of their own.
struct Normals {
  explicit Normals(std::size_t size) : nx(size, 9.0f), ny(size, 9.0f), nz(size, 9.0f), variation(size, 9.0f) {}
  NormalArrays arrays() { return {nx, ny, nz, variation}; }
  std::size_t size() const { return nx.size(); }
  Vec3 operator[](std::size_t i) const { return {nx[i], ny[i], nz[i]}; }
  friend bool operator==(const Normals&, const Normals&) = default;

  std::vector<float> nx, ny, nz, variation;
};

inline std::vector<Vec3f> sphere_points(std::size_t count, double radius) {
  std::vector<Vec3f> points(count);
  for (std::size_t i = 0; i < count; ++i) {  // a golden spiral, evenly spread
    const double z = 1 - (2 * double(i) + 1) / double(count), angle = 2.399963229728653 * double(i);
    const double r = std::sqrt(1 - z * z);
    points[i] = (radius * Vec3{r * std::cos(angle), r * std::sin(angle), z}).cast<float>();
  }
  return points;
}

/// Worst difference between two sets of normals and variations.
inline double largest_difference(const Normals& a, const Normals& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max({largest, norm(a[i] - b[i]), std::abs(double(a.variation[i]) - double(b.variation[i]))});
  }
  return largest;
}

}  // namespace dovetail::test
