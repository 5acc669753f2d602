// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "mesh/crossings.h"

#include <algorithm>
#include <set>

#include "mesh/triangle_boxes.h"
#include "spatial/parallel.h"

namespace dovetail::mesh {
namespace {

/// How far an edge has to reach through a triangle, as a share of the mesh's diagonal: ten times what corners are
/// joined over, so that what only touches does not cross by rounding.
constexpr double deep_share = 1e-5;

class Pair {
 public:
  Pair(const WeldedMesh& mesh) : mesh_(mesh), deep_(deep_share * mesh.diagonal) {}

  bool cross(const Corners& a, const Corners& b) const {
    int shared = 0;
    for (const std::uint32_t i : a) shared += std::count(b.begin(), b.end(), i) > 0;
    // Neighbours meet in their edge.
    return shared < 2 && (pierces(a, b) || pierces(b, a));
  }

 private:
  /// Whether an edge of `a` goes through `b`.
  bool pierces(const Corners& a, const Corners& b) const {
    const Vec3 &p = mesh_.corner(b, 0), &q = mesh_.corner(b, 1), &r = mesh_.corner(b, 2);
    const Vec3 normal = dovetail::cross(q - p, r - p);
    const double length = norm(normal);
    if (!(length > 0)) return false;
    double height[3];
    for (std::size_t k = 0; k < 3; ++k) height[k] = dot(normal, mesh_.corner(a, k) - p) / length;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      const bool through = (height[k] > deep_ && height[next] < -deep_) || (height[k] < -deep_ && height[next] > deep_);
      if (!through) continue;
      const double t = height[k] / (height[k] - height[next]);
      const Vec3 at = mesh_.corner(a, k) + t * (mesh_.corner(a, next) - mesh_.corner(a, k));
      if (inside(at, p, q, r, normal) && inside(at, q, r, p, normal) && inside(at, r, p, q, normal)) return true;
    }
    return false;
  }

  /// Whether a point of the triangle's plane is on the inner side of the edge from p to q, clear of it.
  bool inside(const Vec3& at, const Vec3& p, const Vec3& q, const Vec3&, const Vec3& normal) const {
    const Vec3 edge = q - p;
    return dot(dovetail::cross(edge, at - p), normal) > deep_ * norm(edge) * norm(normal);
  }

  const WeldedMesh& mesh_;
  double deep_;
};

}  // namespace

Crossings crossings_of(const WeldedMesh& mesh, const Surfaces& surfaces) {
  const TriangleBoxes boxes(mesh);
  const Pair pair(mesh);
  std::vector<std::uint8_t> crosses_own(mesh.triangles.size(), 0);
  std::vector<std::vector<std::uint32_t>> others(mesh.triangles.size());
  parallel_for(mesh.triangles.size(), 64, [&](std::size_t i) {
    const std::uint32_t own = surfaces.of_triangle[i];
    boxes.for_each_near(static_cast<std::uint32_t>(i), [&](std::uint32_t k) {
      const std::uint32_t other = surfaces.of_triangle[k];
      // One look is enough for either answer.
      if (own == other ? crosses_own[i] != 0 : std::count(others[i].begin(), others[i].end(), other) > 0) return;
      if (!pair.cross(mesh.triangles[i], mesh.triangles[k])) return;
      if (own == other) {
        crosses_own[i] = 1;
      } else {
        others[i].push_back(other);
      }
    });
  });
  Crossings found;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t i = 0; i < others.size(); ++i) {
    found.triangles += crosses_own[i];
    const std::uint32_t own = surfaces.of_triangle[i];
    for (const std::uint32_t other : others[i]) pairs.insert({std::min(own, other), std::max(own, other)});
  }
  found.overlaps = pairs.size();
  return found;
}

}  // namespace dovetail::mesh
