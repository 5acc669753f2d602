// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "bins/solid.h"

#include <fmt/format.h>

#include <cmath>

#include "dovetail/error.h"

namespace dovetail::bins {

std::vector<Triangle> triangles_of(const PointCloud& mesh, const char* what) {
  if (mesh.faces.empty())
    throw InvalidArgument(fmt::format("{}: the mesh has no faces; points cannot be dropped", what));
  for (const std::uint32_t corner : mesh.faces.index) {
    if (corner >= mesh.size()) {
      throw InvalidArgument(fmt::format("{}: mesh.faces: {} is not allowed; allowed: indices of the mesh's {} points",
                                        what, corner, mesh.size()));
    }
    const Vec3& p = mesh.positions[corner];
    if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) continue;
    throw InvalidArgument(fmt::format("{}: a corner of the mesh is not finite", what));
  }
  std::vector<Triangle> triangles;
  for (std::size_t face = 0; face < mesh.faces.size(); ++face) {
    const std::uint32_t first = mesh.faces.start[face];
    for (std::uint32_t k = first + 2; k < mesh.faces.start[face + 1]; ++k) {
      triangles.push_back({mesh.positions[mesh.faces.index[first]], mesh.positions[mesh.faces.index[k - 1]],
                           mesh.positions[mesh.faces.index[k]]});
    }
  }
  return triangles;
}

Mass mass_of(const std::vector<Triangle>& triangles) {
  // Tetrahedra between each triangle and a point near all of them, by the divergence theorem.
  Vec3 origin{};
  for (const Triangle& t : triangles) origin += (t[0] + t[1] + t[2]) * (1.0 / 3);
  origin *= 1.0 / static_cast<double>(triangles.empty() ? 1 : triangles.size());
  Mass mass;
  for (const Triangle& t : triangles) {
    const Vec3 a = t[0] - origin, b = t[1] - origin, c = t[2] - origin;
    const double volume = dot(a, cross(b, c)) / 6;
    mass.volume += volume;
    const Vec3 sum = a + b + c;
    mass.center += volume / 4 * sum;
    for (const Vec3& v : {a, b, c, sum}) mass.second_moments.add_outer(volume / 20, v);
  }
  if (mass.volume != 0) mass.center *= 1 / mass.volume;
  mass.second_moments.add_outer(-mass.volume, mass.center);
  mass.center += origin;
  return mass;
}

}  // namespace dovetail::bins
