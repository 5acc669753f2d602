// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "mesh/nesting.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "spatial/bounds.h"

namespace dovetail::mesh {
namespace {

/// How often a surface goes round a point: the solid angle it fills, as a share of all. Near enough where it has gaps.
double turns_about(const WeldedMesh& mesh, const Surface& surface, const Vec3& point) {
  double angle = 0;
  for (const std::uint32_t i : surface.triangles) {
    const Corners& t = mesh.triangles[i];
    const Vec3 a = mesh.corner(t, 0) - point, b = mesh.corner(t, 1) - point, c = mesh.corner(t, 2) - point;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    angle += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return angle / (4 * std::numbers::pi);
}

struct Shape {
  Bounds box;
  double volume_6 = 0;
  Vec3 somewhere{};  ///< the middle of its largest triangle
};

Shape shape_of(const WeldedMesh& mesh, const Surface& surface) {
  Shape shape;
  double largest = -1;
  for (const std::uint32_t i : surface.triangles) {
    const Corners& t = mesh.triangles[i];
    for (std::size_t k = 0; k < 3; ++k) shape.box.add(mesh.corner(t, k));
    const double area = norm(mesh.area_vector(t));
    if (area <= largest) continue;
    largest = area;
    shape.somewhere = (1.0 / 3) * (mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2));
  }
  shape.volume_6 = volume_6(mesh, surface.triangles, shape.box.center());
  return shape;
}

bool holds(const Bounds& large, const Bounds& small) {
  for (int k = 0; k < 3; ++k) {
    if (large.low[k] > small.low[k] || large.high[k] < small.high[k]) return false;
  }
  return true;
}

}  // namespace

std::vector<std::size_t> inside_out(const WeldedMesh& mesh, const Surfaces& surfaces) {
  std::vector<Shape> shapes;
  for (const Surface& surface : surfaces.all) shapes.push_back(shape_of(mesh, surface));
  std::vector<std::size_t> by_size(shapes.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return shapes[a].box.diagonal() > shapes[b].box.diagonal(); });
  std::vector<bool> turned(shapes.size(), false);
  for (std::size_t rank = 0; rank < by_size.size(); ++rank) {
    const std::size_t own = by_size[rank];
    // The smallest of those that it lies in.
    std::size_t around = own;
    for (std::size_t larger = rank; larger-- > 0 && around == own;) {
      const std::size_t other = by_size[larger];
      if (!holds(shapes[other].box, shapes[own].box)) continue;
      if (std::fabs(turns_about(mesh, surfaces.all[other], shapes[own].somewhere)) > 0.5) around = other;
    }
    // A sheet encloses so little that the sign of it is chance, and what is open may be the wall of a bore.
    const double side = shapes[own].box.diagonal();
    const bool negative = shapes[own].volume_6 < -1e-6 * side * side * side;
    const bool is_solid = !surfaces.all[own].one_sided && surfaces.all[own].open_length <= 0.5 * side;
    turned[own] = around != own ? turned[around] : negative && is_solid;
  }
  std::vector<std::size_t> result;
  for (std::size_t s = 0; s < turned.size(); ++s) {
    if (turned[s]) result.push_back(s);
  }
  return result;
}

}  // namespace dovetail::mesh
