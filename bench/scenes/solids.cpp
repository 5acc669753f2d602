// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "scenes/solids.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace dovetail::bench::scenes {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<Vec3> ellipse(const Rigid3& frame, double z, double a, double b, int segments) {
  std::vector<Vec3> ring;
  for (int i = 0; i < segments; ++i) {
    const double angle = 2 * pi * i / segments;
    ring.push_back(frame * Vec3{a * std::cos(angle), b * std::sin(angle), z});
  }
  return ring;
}

}  // namespace

void add_box(MeshBuilder& mesh, const Rigid3& frame, const Vec3& size) {
  const double x = 0.5 * size[0], y = 0.5 * size[1], z = 0.5 * size[2];
  mesh.prism({frame * Vec3{-x, -y, -z}, frame * Vec3{x, -y, -z}, frame * Vec3{x, y, -z}, frame * Vec3{-x, y, -z}},
             frame.rotation * Vec3{0, 0, size[2]});
}

void add_box_between(MeshBuilder& mesh, const Vec3& low, const Vec3& high) {
  add_box(mesh, {Mat3::identity(), 0.5 * (low + high)}, high - low);
}

void add_cylinder(MeshBuilder& mesh, const Rigid3& frame, const Vec3& size, int segments) {
  const double a = 0.5 * size[0], b = 0.5 * size[1], z = 0.5 * size[2];
  mesh.rings({ellipse(frame, -z, 0, 0, segments), ellipse(frame, -z, a, b, segments), ellipse(frame, z, a, b, segments),
              ellipse(frame, z, 0, 0, segments)});
}

void add_prism(MeshBuilder& mesh, const Rigid3& frame, const Vec3& size, RandomStream& random) {
  const std::uint32_t corners = 3 + random.below(4);
  std::vector<double> angles;
  for (std::uint32_t i = 0; i < corners; ++i) {
    angles.push_back(2 * pi * (i + random.uniform(-0.3, 0.3)) / corners);
  }
  std::vector<Vec3> outline;  // corners on an ellipse are convex
  for (const double angle : angles) {
    outline.push_back(frame * Vec3{0.5 * size[0] * std::cos(angle), 0.5 * size[1] * std::sin(angle), -0.5 * size[2]});
  }
  mesh.prism(outline, frame.rotation * Vec3{0, 0, size[2]});
}

void add_dome(MeshBuilder& mesh, const Rigid3& frame, const Vec3& size, int segments) {
  const int steps = segments / 3;
  std::vector<std::vector<Vec3>> stack;
  for (int i = 0; i <= steps; ++i) {
    const double angle = pi * i / steps - 0.5 * pi;
    const double radius = i == 0 || i == steps ? 0.0 : 0.5 * std::cos(angle);
    stack.push_back(ellipse(frame, 0.5 * size[2] * std::sin(angle), radius * size[0], radius * size[1], segments));
  }
  mesh.rings(stack);
}

}  // namespace dovetail::bench::scenes
