// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "spatial/kd_tree.h"
#include "spatial/normal_from_neighbours.h"
#include "spatial/sample_points.h"

namespace dovetail::test {

/// Normals and variation in arrays of their own.
struct Normals {
  explicit Normals(std::size_t size) : nx(size, 9.0f), ny(size, 9.0f), nz(size, 9.0f), variation(size, 9.0f) {}
  std::size_t size() const { return nx.size(); }
  Vec3 operator[](std::size_t i) const { return {nx[i], ny[i], nz[i]}; }
  friend bool operator==(const Normals&, const Normals&) = default;

  std::vector<float> nx, ny, nz, variation;
};

/// Those of a tree's points as a machine estimates them, in the order of the arrays it was built from.
inline Normals normals_on(Backend& backend, const KdTree& tree, const NormalSettings& settings) {
  Memory& memory = backend.memory();
  Keeper keeper;
  const Placed<KdTreeView> placed = put(memory, tree);
  float* arrays[4];
  for (float*& a : arrays) a = memory.room<float>(tree.size(), keeper);
  Batch<dovetail::Normals> batch;
  batch.params = settings;
  batch.data = {{placed.view, memory.put(tree.order(), keeper), arrays[0], arrays[1], arrays[2], arrays[3], nullptr}};
  batch.states = {{}};
  backend.run(batch);
  Normals found(tree.size());
  memory.get<float>(arrays[0], found.nx);
  memory.get<float>(arrays[1], found.ny);
  memory.get<float>(arrays[2], found.nz);
  memory.get<float>(arrays[3], found.variation);
  return found;
}

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
