// SPDX-License-Identifier: MIT
// Part of Dovetail.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "dovetail/points.h"
#include "dovetail/rotation.h"
#include "dovetail/symmetry.h"
#include "support/shapes.h"

// Meshes whose symmetries are known from how they are made.

namespace dovetail::test {

inline constexpr double pi = std::numbers::pi;

/// A straight prism over a polygon of the xy plane, from z = low to high; ends closed by fans about `inside`, from
/// where all of the outline can be seen.
inline PointCloud prism(const std::vector<Vec2>& outline, double low, double high, const Vec2& inside = {0, 0}) {
  PointCloud mesh;
  const auto n = static_cast<std::uint32_t>(outline.size());
  for (const double z : {low, high}) {
    for (const Vec2& p : outline) mesh.positions.push_back({p[0], p[1], z});
  }
  mesh.positions.push_back({inside[0], inside[1], low});
  mesh.positions.push_back({inside[0], inside[1], high});
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    mesh.faces.add({i, j, n + j, n + i});
    mesh.faces.add({2 * n, j, i});
    mesh.faces.add({2 * n + 1, n + i, n + j});
  }
  return mesh;
}

inline std::vector<Vec2> polygon(int corners, double radius) {
  std::vector<Vec2> outline;
  for (int i = 0; i < corners; ++i) {
    outline.push_back({radius * std::cos(2 * pi * i / corners), radius * std::sin(2 * pi * i / corners)});
  }
  return outline;
}

/// 40 a side.
inline PointCloud cube() { return prism({{-20, -20}, {20, -20}, {20, 20}, {-20, 20}}, -20, 20); }

/// Both legs 60 long and 20 thick, 30 deep.
inline std::vector<Vec2> l_outline(double other_leg) {
  return {{0, 0}, {60, 0}, {60, 20}, {20, 20}, {20, other_leg}, {0, other_leg}};
}

/// A gear with straight teeth; `skew` leans their flanks to one side, which takes the half turns across away.
inline PointCloud gear(int teeth, double skew) {
  std::vector<Vec2> outline;
  for (int i = 0; i < teeth; ++i) {
    const double at = 2 * pi * i / teeth, step = 2 * pi / teeth;
    const auto add = [&](double radius, double part) {
      outline.push_back({radius * std::cos(at + part * step), radius * std::sin(at + part * step)});
    };
    add(40, 0.0), add(40, 0.3), add(48, 0.4 + skew), add(48, 0.6 + skew), add(40, 0.7);
  }
  return prism(outline, -6, 6);
}

/// A tube of 12 corners along a curve point(t), t from 0 to 1, its ends open.
template <class Curve>
PointCloud tube_along(int steps, double radius, const Curve& point) {
  PointCloud mesh;
  constexpr std::uint32_t corners = 12;
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    const Vec3 along = point(t + 1e-5) - point(t - 1e-5), axis = (1 / norm(along)) * along;
    const Vec3 outwards = point(t) - Vec3{0, 0, point(t)[2]};
    Vec3 u = outwards - dot(outwards, axis) * axis;
    u = (1 / norm(u)) * u;
    const Vec3 v = cross(axis, u);
    for (std::uint32_t k = 0; k < corners; ++k) {
      const double a = 2 * pi * k / corners;
      mesh.positions.push_back(point(t) + radius * (std::cos(a) * u + std::sin(a) * v));
    }
  }
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(steps); ++i) {
    for (std::uint32_t k = 0; k < corners; ++k) {
      const std::uint32_t l = (k + 1) % corners;
      mesh.faces.add({i * corners + k, i * corners + l, (i + 1) * corners + l, (i + 1) * corners + k});
    }
  }
  return mesh;
}

/// A helical spring about z through the origin, `turns` from below to above.
inline PointCloud spring(double turns) {
  return tube_along(static_cast<int>(24 * turns), 4, [&](double t) {
    const double a = 2 * pi * turns * (t - 0.5);
    return Vec3{20 * std::cos(a), 20 * std::sin(a), 60 * (t - 0.5)};
  });
}
/// The same, wider above than below.
inline PointCloud tapered_spring(double turns) {
  return tube_along(static_cast<int>(24 * turns), 4, [&](double t) {
    const double a = 2 * pi * turns * (t - 0.5), r = 16 + 10 * t;
    return Vec3{r * std::cos(a), r * std::sin(a), 60 * (t - 0.5)};
  });
}

/// A sphere of triangles: every face of an octahedron divided into `parts` ² ones.
inline PointCloud ball(double radius, int parts) {
  PointCloud mesh;
  for (int octant = 0; octant < 8; ++octant) {
    const Vec3 x{octant & 1 ? -1.0 : 1.0, 0, 0}, y{0, octant & 2 ? -1.0 : 1.0, 0}, z{0, 0, octant & 4 ? -1.0 : 1.0};
    const auto first = static_cast<std::uint32_t>(mesh.size());
    const auto at = [&](int i, int j) {  // rows shorten
      return first + static_cast<std::uint32_t>(i * (parts + 1) - i * (i - 1) / 2 + j);
    };
    for (int i = 0; i <= parts; ++i) {
      for (int j = 0; j <= parts - i; ++j) {
        const double a = i, b = j, c = parts - i - j;
        const Vec3 p = a * x + b * y + c * z;
        mesh.positions.push_back((radius / norm(p)) * p);
      }
    }
    for (int i = 0; i < parts; ++i) {
      for (int j = 0; j < parts - i; ++j) {
        mesh.faces.add({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (j + 1 < parts - i) mesh.faces.add({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  }
  return mesh;
}

/// The convex solid with these corners, its faces the triangles with all others on one side. For few corners.
inline PointCloud convex(const std::vector<Vec3>& corners) {
  PointCloud mesh;
  mesh.positions = corners;
  const auto n = static_cast<std::uint32_t>(corners.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      for (std::uint32_t k = j + 1; k < n; ++k) {
        const Vec3 normal = cross(corners[j] - corners[i], corners[k] - corners[i]);
        double low = 0, high = 0;
        for (const Vec3& p : corners) {
          low = std::min(low, dot(normal, p - corners[i])), high = std::max(high, dot(normal, p - corners[i]));
        }
        if (low > -1e-9 || high < 1e-9) mesh.faces.add({i, j, k});
      }
    }
  }
  return mesh;
}

inline PointCloud tetrahedron() { return convex({{30, 30, 30}, {30, -30, -30}, {-30, 30, -30}, {-30, -30, 30}}); }
inline PointCloud octahedron() {
  return convex({{40, 0, 0}, {-40, 0, 0}, {0, 40, 0}, {0, -40, 0}, {0, 0, 40}, {0, 0, -40}});
}
inline PointCloud icosahedron() {
  std::vector<Vec3> corners;
  for (const double a : {-20.0, 20.0}) {
    for (const double b : {-20 * std::numbers::phi, 20 * std::numbers::phi}) {
      corners.push_back({0, a, b}), corners.push_back({a, b, 0}), corners.push_back({b, 0, a});
    }
  }
  return convex(corners);
}

/// A second mesh beside the first, in one.
inline PointCloud joined(PointCloud a, const PointCloud& b) {
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

inline PointCloud moved(PointCloud mesh, const Vec3& shift) {
  for (Vec3& p : mesh.positions) p += shift;
  return mesh;
}

/// Three blocks along different axes, each of another length, about a fourth: left- or right-handed.
inline PointCloud chiral_part() {
  const auto block = [](const Vec3& low, const Vec3& high) {
    return prism({{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}}, low[2], high[2],
                 {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])});
  };
  PointCloud part = block({0, 0, 0}, {20, 20, 20});
  part = joined(part, block({20, 0, 0}, {70, 20, 20}));
  part = joined(part, block({0, 20, 0}, {20, 55, 20}));
  return joined(part, block({0, 0, 20}, {20, 20, 40}));
}

inline PointCloud mirrored(PointCloud mesh) {
  for (Vec3& p : mesh.positions) p[0] = -p[0];
  return mesh;
}

/// `count` points spread over the faces at random, with normal noise.
inline PointCloud sampled(const PointCloud& mesh, std::size_t count, std::uint64_t seed, double noise) {
  std::vector<std::array<Vec3, 3>> triangles;
  std::vector<double> areas{0};
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const auto corner = [&](std::uint32_t i) { return mesh.positions[mesh.faces.index[mesh.faces.start[f] + i]]; };
    for (std::uint32_t i = 2; i < mesh.faces.start[f + 1] - mesh.faces.start[f]; ++i) {
      triangles.push_back({corner(0), corner(i - 1), corner(i)});
      const auto& [a, b, c] = triangles.back();
      areas.push_back(areas.back() + 0.5 * norm(cross(b - a, c - a)));
    }
  }
  return sample(count, seed, [&](RandomStream& random) {
    const auto at = std::upper_bound(areas.begin() + 1, areas.end() - 1, random.uniform(0, areas.back()));
    const auto& [a, b, c] = triangles[static_cast<std::size_t>(at - areas.begin() - 1)];
    double u = random.uniform(), v = random.uniform();
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const Vec3 p = a + u * (b - a) + v * (c - a);
    return p + noise * Vec3{random.normal(), random.normal(), random.normal()};
  });
}

}  // namespace dovetail::test
