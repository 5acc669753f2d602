// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "dovetail/points.h"

// Meshes, and ways to break them.

namespace dovetail::test {

/// A box of squares, its corners numbered by bits: x, y, z.
inline PointCloud box_mesh(const Vec3& low, const Vec3& high) {
  PointCloud mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.positions.push_back({i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]});
  }
  mesh.faces.add({0, 2, 3, 1}), mesh.faces.add({4, 5, 7, 6});
  mesh.faces.add({0, 1, 5, 4}), mesh.faces.add({2, 6, 7, 3});
  mesh.faces.add({0, 4, 6, 2}), mesh.faces.add({1, 3, 7, 5});
  return mesh;
}
inline PointCloud cube_mesh() { return box_mesh({0, 0, 0}, {1, 1, 1}); }

/// A ball of triangles, `rings` from pole to pole.
inline PointCloud ball_mesh(double radius, std::uint32_t rings) {
  PointCloud mesh;
  const std::uint32_t around = 2 * rings;
  mesh.positions.push_back({0, 0, radius});
  for (std::uint32_t i = 1; i < rings; ++i) {
    const double polar = std::numbers::pi * i / rings;
    for (std::uint32_t k = 0; k < around; ++k) {
      const double turn = 2 * std::numbers::pi * k / around;
      mesh.positions.push_back(
          radius * Vec3{std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar)});
    }
  }
  mesh.positions.push_back({0, 0, -radius});
  const auto at = [&](std::uint32_t ring, std::uint32_t k) { return 1 + (ring - 1) * around + k % around; };
  const auto last = static_cast<std::uint32_t>(mesh.size() - 1);
  for (std::uint32_t k = 0; k < around; ++k) {
    mesh.faces.add({0, at(1, k), at(1, k + 1)});
    for (std::uint32_t i = 1; i + 1 < rings; ++i) {
      mesh.faces.add({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
      mesh.faces.add({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
    }
    mesh.faces.add({at(rings - 1, k), last, at(rings - 1, k + 1)});
  }
  return mesh;
}

/// Its faces as triangles, each with corners of its own: as STL files have them.
inline PointCloud as_soup(const PointCloud& mesh) {
  PointCloud soup;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (std::uint32_t k = mesh.faces.start[f] + 2; k < mesh.faces.start[f + 1]; ++k) {
      const auto first = static_cast<std::uint32_t>(soup.size());
      for (const std::uint32_t i : {mesh.faces.start[f], k - 1, k}) {
        soup.positions.push_back(mesh.positions[mesh.faces.index[i]]);
      }
      soup.faces.add({first, first + 1, first + 2});
    }
  }
  return soup;
}

inline void flip(PointCloud& mesh, std::size_t face) {
  std::reverse(mesh.faces.index.begin() + mesh.faces.start[face],
               mesh.faces.index.begin() + mesh.faces.start[face + 1]);
}
inline PointCloud turned_inside_out(PointCloud mesh) {
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) flip(mesh, f);
  return mesh;
}

/// Without one of its faces.
inline PointCloud without(const PointCloud& mesh, std::size_t face) {
  PointCloud left;
  left.positions = mesh.positions;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    if (f == face) continue;
    left.faces.index.insert(left.faces.index.end(), mesh.faces.index.begin() + mesh.faces.start[f],
                            mesh.faces.index.begin() + mesh.faces.start[f + 1]);
    left.faces.start.push_back(static_cast<std::uint32_t>(left.faces.index.size()));
  }
  return left;
}

/// One of its faces once more.
inline void repeat(PointCloud& mesh, std::size_t face) {
  const std::vector<std::uint32_t> corners(mesh.faces.index.begin() + mesh.faces.start[face],
                                           mesh.faces.index.begin() + mesh.faces.start[face + 1]);
  mesh.faces.index.insert(mesh.faces.index.end(), corners.begin(), corners.end());
  mesh.faces.start.push_back(static_cast<std::uint32_t>(mesh.faces.index.size()));
}

inline PointCloud both(PointCloud a, const PointCloud& b) {
  const auto shift = static_cast<std::uint32_t>(a.size());
  a.positions.insert(a.positions.end(), b.positions.begin(), b.positions.end());
  for (std::size_t f = 0; f < b.faces.size(); ++f) {
    for (std::uint32_t i = b.faces.start[f]; i < b.faces.start[f + 1]; ++i) {
      a.faces.index.push_back(b.faces.index[i] + shift);
    }
    a.faces.start.push_back(static_cast<std::uint32_t>(a.faces.index.size()));
  }
  return a;
}

inline PointCloud shifted(PointCloud mesh, const Vec3& by) {
  for (Vec3& p : mesh.positions) p += by;
  return mesh;
}

/// A band that was turned by half a turn before its ends were joined.
inline PointCloud moebius_band(std::uint32_t steps) {
  PointCloud mesh;
  for (std::uint32_t i = 0; i < steps; ++i) {
    const double a = 2 * std::numbers::pi * i / steps;
    for (const double w : {-0.3, 0.3}) {
      const double r = 1 + w * std::cos(0.5 * a);
      mesh.positions.push_back({r * std::cos(a), r * std::sin(a), w * std::sin(0.5 * a)});
    }
  }
  for (std::uint32_t i = 0; i < steps; ++i) {
    const std::uint32_t a = 2 * i, b = a + 1;
    const bool last = i + 1 == steps;
    const std::uint32_t c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    mesh.faces.add({a, b, d}), mesh.faces.add({a, d, c});
  }
  return mesh;
}

}  // namespace dovetail::test
