// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cmath>
#include <numbers>

#include "dovetail/scanner.h"
#include "scanner/mesh_builder.h"

namespace dovetail {
namespace {

using scanner::circle;
using scanner::MeshBuilder;
using scanner::square;

constexpr int segments = 64;
constexpr double bottom = 0, top = 12;  // of the plate
constexpr double sunk = 1;              // how deep other solids stand in the plate, so that no gap shows

struct Hole {
  double x, y, radius, half;  // half: of the square patch around it
};

void rectangle(MeshBuilder& mesh, double x0, double x1, double y0, double y1, double z, bool up) {
  if (x0 >= x1 || y0 >= y1) return;
  const Vec3 a = {x0, y0, z}, b = {x1, y0, z}, c = {x1, y1, z}, d = {x0, y1, z};
  up ? mesh.quad(a, b, c, d) : mesh.quad(a, d, c, b);
}

/// A face of the plate up to x1, around the square patches of its columns of two holes.
void plate_face(MeshBuilder& mesh, double x1, const std::vector<Hole>& holes, double z, bool up) {
  double x = -60;
  for (std::size_t column = 0; column < holes.size(); column += 2) {
    const Hole &low = holes[column], &high = holes[column + 1];
    rectangle(mesh, x, low.x - low.half, -40, 40, z, up);
    rectangle(mesh, low.x - low.half, low.x + low.half, -40, low.y - low.half, z, up);
    rectangle(mesh, low.x - low.half, low.x + low.half, low.y + low.half, high.y - high.half, z, up);
    rectangle(mesh, low.x - low.half, low.x + low.half, high.y + high.half, 40, z, up);
    x = low.x + low.half;
  }
  rectangle(mesh, x, x1, -40, 40, z, up);
}

void plate(MeshBuilder& mesh) {
  // The patches of a column are equally wide. The hole at (-32, 24) is the larger one.
  const std::vector<Hole> holes = {{-32, -28, 5, 10}, {-32, 24, 8, 10}, {42, -28, 5, 8}, {42, 28, 5, 8}};
  constexpr double chamfer = 8, right = 60, left = -60;
  plate_face(mesh, right - chamfer, holes, top, true);
  plate_face(mesh, right, holes, bottom, false);
  for (const Hole& h : holes) {
    mesh.rings({square({h.x, h.y, top}, h.half, segments), circle({h.x, h.y, top}, h.radius, segments),
                circle({h.x, h.y, bottom}, h.radius, segments), square({h.x, h.y, bottom}, h.half, segments)});
  }
  const auto at = [](double x, double z) { return [=](double y) { return Vec3{x, y, z}; }; };
  const auto side = [&](auto from, auto to) { mesh.quad(from(-40), from(40), to(40), to(-40)); };
  side(at(right, bottom), at(right, top - chamfer));
  side(at(right, top - chamfer), at(right - chamfer, top));
  side(at(left, top), at(left, bottom));
  for (const double y : {-40.0, 40.0}) {
    const Vec3 a = {left, y, bottom}, b = {right, y, bottom}, c = {right, y, top - chamfer},
               d = {right - chamfer, y, top}, e = {left, y, top};
    const bool front = y < 0;
    front ? mesh.quad(a, b, c, d) : mesh.quad(a, d, c, b);
    front ? mesh.triangle(a, d, e) : mesh.triangle(a, e, d);
  }
}

/// A cylinder with a blind bore, standing in the plate.
void boss(MeshBuilder& mesh) {
  const Vec3 foot = {12, 10, top - sunk}, floor = {12, 10, top + 8}, head = {12, 10, top + 28};
  mesh.rings({circle(foot, 0, segments), circle(foot, 17, segments), circle(head, 17, segments),
              circle(head, 9, segments), circle(floor, 9, segments), circle(floor, 0, segments)});
}

void dome(MeshBuilder& mesh) {
  const Vec3 foot = {8, -24, top - sunk};
  std::vector<std::vector<Vec3>> stack = {circle(foot, 0, segments)};
  constexpr int steps = 16;
  for (int i = 0; i <= steps; ++i) {
    const double angle = 0.5 * std::numbers::pi * i / steps;
    const double radius = i == steps ? 0.0 : 11 * std::cos(angle);
    stack.push_back(circle(foot + Vec3{0, 0, 11 * std::sin(angle)}, radius, segments));
  }
  mesh.rings(stack);
}

}  // namespace

PointCloud built_in_part() {
  MeshBuilder mesh;
  plate(mesh);
  boss(mesh);
  dome(mesh);
  // The wall, with its upper corner cut off on one side, and two unequal ribs that hold it.
  constexpr double foot = top - sunk, behind = -49;
  mesh.prism({{-60, -40, foot}, {-60, 40, foot}, {-60, 40, 45}, {-60, 10, 70}, {-60, -40, 70}}, {12, 0, 0});
  mesh.prism({{behind, -12, foot}, {behind, -12, 55}, {-12, -12, foot}}, {0, 8, 0});
  mesh.prism({{behind, 34, foot}, {behind, 34, 30}, {-30, 34, foot}}, {0, 5, 0});
  return mesh.take();
}

}  // namespace dovetail
