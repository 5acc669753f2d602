// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "mesh/welded_mesh.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "mesh/joined_sets.h"
#include "spatial/bounds.h"
#include "spatial/selection.h"

namespace dovetail::mesh {
namespace {

/// Of the diagonal. Files in float32 are good to a tenth of that, where the part is not far from its origin.
constexpr double weld_share = 1e-6;

using Cell = std::array<std::int64_t, 3>;
struct CellHash {
  std::size_t operator()(const Cell& c) const {
    std::uint64_t h = 0;
    for (const std::int64_t v : c) h = (h ^ static_cast<std::uint64_t>(v)) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
    return h;
  }
};

/// Joins points of a common cell, in four grids shifted against each other by a quarter of a cell along all axes: what
/// is nearer than that lies in one cell of at least one of them, for along each axis it is cut by one of the four only.
JoinedSets joined_points(const std::vector<Vec3>& points, const Vec3& low, double tolerance) {
  JoinedSets sets(points.size());
  constexpr int grids = 4;
  const double scale = tolerance > 0 ? 1 / (grids * tolerance) : 0;
  for (int grid = 0; grid < grids; ++grid) {
    std::unordered_map<Cell, std::uint32_t, CellHash> first;
    first.reserve(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      Cell cell{};
      for (int k = 0; k < 3; ++k) {
        cell[static_cast<std::size_t>(k)] =
            static_cast<std::int64_t>(std::floor((points[i][k] - low[k]) * scale + grid * (1.0 / grids)));
      }
      const auto [there, is_new] = first.try_emplace(cell, i);
      if (!is_new) sets.join(there->second, i);
    }
  }
  return sets;
}

}  // namespace

bool is_usable(const Vec3& p) {
  // Written so that a NaN fails.
  return std::fabs(p[0]) <= largest_coordinate && std::fabs(p[1]) <= largest_coordinate &&
         std::fabs(p[2]) <= largest_coordinate;
}

bool is_broken(const PointCloud& mesh, FaceCorner begin, FaceCorner end) {
  const auto known = [&](std::uint32_t i) { return i < mesh.size() && is_usable(mesh.positions[i]); };
  return end - begin < 3 || !std::all_of(begin, end, known);
}

bool WeldedMesh::is_flat(const Corners& t) const {
  double longest = 0;
  for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, norm(corner(t, (k + 1) % 3) - corner(t, k)));
  return norm(area_vector(t)) <= tolerance * longest;
}

WeldedMesh weld(const PointCloud& mesh) {
  WeldedMesh welded;
  const Faces& faces = mesh.faces;
  std::vector<std::uint32_t> point_of(mesh.size(), UINT32_MAX);
  std::vector<Vec3> used;
  std::vector<Corners> triangles;
  for (std::size_t face = 0; face < faces.size(); ++face) {
    const auto begin = faces.index.begin() + faces.start[face], end = faces.index.begin() + faces.start[face + 1];
    if (is_broken(mesh, begin, end)) {
      ++welded.broken_faces;
      continue;
    }
    const auto own = [&](std::uint32_t i) {
      if (point_of[i] == UINT32_MAX) {
        point_of[i] = static_cast<std::uint32_t>(used.size());
        used.push_back(mesh.positions[i]);
      }
      return point_of[i];
    };
    for (auto at = begin + 2; at < end; ++at) triangles.push_back({own(*begin), own(*(at - 1)), own(*at)});
  }
  Bounds box;
  for (const Vec3& p : used) box.add(p);
  welded.diagonal = box.diagonal();
  welded.tolerance = weld_share * welded.diagonal;
  JoinedSets sets = joined_points(used, box.low, welded.tolerance);
  std::vector<std::uint32_t> place_of(used.size());
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    const std::uint32_t lowest = sets.find(i);
    if (lowest == i) {
      place_of[i] = static_cast<std::uint32_t>(welded.places.size());
      welded.places.push_back(used[i]);
    } else {
      place_of[i] = place_of[lowest];
    }
  }
  welded.all_triangles = triangles.size();
  for (const Corners& t : triangles) {
    const Corners own = {place_of[t[0]], place_of[t[1]], place_of[t[2]]};
    if (welded.is_flat(own)) {
      ++welded.flat;
    } else {
      welded.triangles.push_back(own);
    }
  }
  return welded;
}

}  // namespace dovetail::mesh
