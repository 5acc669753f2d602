// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scanner/mesh_builder.h"

#include <cmath>
#include <numbers>

namespace dovetail::scanner {

std::uint32_t MeshBuilder::index_of(const Vec3& p) {
  const auto [at, is_new] = known_.try_emplace({p[0], p[1], p[2]}, static_cast<std::uint32_t>(mesh_.size()));
  if (is_new) mesh_.positions.push_back(p);
  return at->second;
}

void MeshBuilder::triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const std::uint32_t i = index_of(a), j = index_of(b), k = index_of(c);
  if (i != j && j != k && k != i) mesh_.faces.add({i, j, k});
}

void MeshBuilder::quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  triangle(a, b, c);
  triangle(a, c, d);
}

void MeshBuilder::prism(const std::vector<Vec3>& outline, const Vec3& direction) {
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec3 &a = outline[i], &b = outline[(i + 1) % outline.size()];
    quad(a, b, b + direction, a + direction);
    if (i >= 1 && i + 1 < outline.size()) {
      triangle(outline[0] + direction, a + direction, b + direction);
      triangle(outline[0], b, a);
    }
  }
}

void MeshBuilder::rings(const std::vector<std::vector<Vec3>>& stack) {
  for (std::size_t s = 0; s + 1 < stack.size(); ++s) {
    const std::vector<Vec3>&low = stack[s], &high = stack[s + 1];
    for (std::size_t i = 0; i < low.size(); ++i) {
      const std::size_t j = (i + 1) % low.size();
      quad(low[i], low[j], high[j], high[i]);
    }
  }
}

std::vector<Vec3> circle(const Vec3& center, double radius, int segments) {
  std::vector<Vec3> ring;
  for (int i = 0; i < segments; ++i) {
    const double angle = 2 * std::numbers::pi * i / segments + 0.25 * std::numbers::pi;
    ring.push_back(center + Vec3{radius * std::cos(angle), radius * std::sin(angle), 0});
  }
  return ring;
}

std::vector<Vec3> square(const Vec3& center, double half, int segments) {
  std::vector<Vec3> ring;
  const int side = segments / 4;
  for (int i = 0; i < segments; ++i) {
    // Along a side the ray at angle t from its middle leaves at tan t; corners are set exactly, not by tan 45 degrees.
    const double along =
        i % side == 0 ? -1.0 : std::tan(0.5 * std::numbers::pi * (i % side) / side - 0.25 * std::numbers::pi);
    const double s = half * along;
    const Vec3 offset[] = {{-s, half, 0}, {-half, -s, 0}, {s, -half, 0}, {half, s, 0}};
    ring.push_back(center + offset[i / side]);
  }
  return ring;
}

}  // namespace dovetail::scanner
