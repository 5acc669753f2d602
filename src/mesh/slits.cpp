// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "mesh/slits.h"

#include <algorithm>

namespace dovetail::mesh {
namespace {

double squared_distance(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double length = squared_norm(along);
  const double t = length > 0 ? std::clamp(dot(p - a, along) / length, 0.0, 1.0) : 0.0;
  return squared_norm(p - (a + t * along));
}

}  // namespace

Slits::Slits(const WeldedMesh& mesh, const std::vector<Edge>& open) {
  // Every pair is looked at. Where there are more, the mesh is a scan or a heap of loose triangles.
  constexpr std::size_t most = 6000;
  if (open.size() > most) return;
  const double reach = 4 * mesh.tolerance * mesh.tolerance;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Vec3 &from = mesh.places[open[i].from()], &to = mesh.places[open[i].to()];
    const Vec3 middle = 0.5 * (from + to);
    for (std::size_t k = 0; k < open.size(); ++k) {
      if (k == i) continue;
      const Vec3 &a = mesh.places[open[k].from()], &b = mesh.places[open[k].to()];
      if (squared_distance(middle, a, b) > reach) continue;
      // Not where they merely cross.
      const double along = dot(to - from, b - a);
      if (along * along < 0.99 * squared_norm(to - from) * squared_norm(b - a)) continue;
      meetings_.push_back({i, k, along > 0});
      covered_.insert({open[i].low, open[i].high});
    }
  }
}

}  // namespace dovetail::mesh
