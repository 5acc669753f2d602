// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <array>
#include <cmath>
#include <numbers>

#include "dovetail/rotation.h"
#include "dovetail/scanner.h"
#include "scanner/mesh_builder.h"

namespace dovetail {
namespace {

using scanner::circle;
using scanner::MeshBuilder;

constexpr int segments = 64;
constexpr double pi = std::numbers::pi;

constexpr std::array all_parts = {BuiltInPart::bracket,  BuiltInPart::box,           BuiltInPart::cube,
                                  BuiltInPart::hex_bolt, BuiltInPart::hex_nut,       BuiltInPart::cylinder,
                                  BuiltInPart::t_pipe,   BuiltInPart::elbow_pipe,    BuiltInPart::flange,
                                  BuiltInPart::mug,      BuiltInPart::liqueur_glass, BuiltInPart::glass};
constexpr std::array<std::string_view, all_parts.size()> names = {"bracket", "box",      "cube",          "hex_bolt",
                                                                  "hex_nut", "cylinder", "t_pipe",        "elbow_pipe",
                                                                  "flange",  "mug",      "liqueur_glass", "glass"};

/// A ring of a turned solid: height along the axis and radius there.
struct Turn {
  double height, radius;
};

/// A solid turned about the z axis of its own frame. The outline runs from the axis below to the axis above.
void lathe(MeshBuilder& mesh, const std::vector<Turn>& outline, const Rigid3& part_from_own = Rigid3::identity()) {
  std::vector<std::vector<Vec3>> stack;
  for (const Turn& turn : outline) {
    std::vector<Vec3>& ring = stack.emplace_back(circle({0, 0, turn.height}, turn.radius, segments));
    for (Vec3& p : ring) p = part_from_own * p;
  }
  mesh.rings(stack);
}

/// The z axis of the lathe laid along x.
Mat3 along_x() { return exp_so3(Vec3{0, 0.5 * pi, 0}); }

void block(MeshBuilder& mesh, double x, double y, double z) {
  const double a = 0.5 * x, b = 0.5 * y, c = 0.5 * z;
  mesh.prism({{-a, -b, -c}, {a, -b, -c}, {a, b, -c}, {-a, b, -c}}, {0, 0, z});
}

/// A regular hexagon of 64 points or so, for the rings of a bored nut: each side has as many as every other.
std::vector<Vec3> hexagon(double z, double across_flats, int points_a_side) {
  const double corner = across_flats / std::sqrt(3.0);
  std::vector<Vec3> ring;
  for (int side = 0; side < 6; ++side) {
    const double from = pi / 3 * side, to = pi / 3 * (side + 1);
    const Vec3 a = {corner * std::cos(from), corner * std::sin(from), z},
               b = {corner * std::cos(to), corner * std::sin(to), z};
    for (int i = 0; i < points_a_side; ++i) ring.push_back(a + (static_cast<double>(i) / points_a_side) * (b - a));
  }
  return ring;
}

std::vector<Vec3> ring_from_x(double z, double radius, int count) {
  std::vector<Vec3> ring;
  for (int i = 0; i < count; ++i) {
    ring.push_back({radius * std::cos(2 * pi * i / count), radius * std::sin(2 * pi * i / count), z});
  }
  return ring;
}

void hex_bolt(MeshBuilder& mesh) {
  // 12.5 of head and 63.5 of shaft, about the middle of the whole.
  constexpr double head = 38, neck = head - 12.5, tip = -38;
  mesh.prism(hexagon(neck, 30, 1), {0, 0, head - neck});
  lathe(mesh, {{tip, 0}, {tip, 8}, {tip + 2, 10}, {neck + 1, 10}, {neck + 1, 0}});
}

void hex_nut(MeshBuilder& mesh) {
  constexpr int a_side = 11;
  constexpr double half = 8, bore = 9;
  const auto inner = [&](double z) { return ring_from_x(z, bore, 6 * a_side); };
  mesh.rings({inner(-half), hexagon(-half, 30, a_side), hexagon(half, 30, a_side), inner(half), inner(-half)});
}

/// Half a pipe from the origin along z of `frame`: a collar at its end, and a blind bore.
void arm(MeshBuilder& mesh, double length, const Rigid3& frame) {
  constexpr double radius = 15, collar = 19, bore = 11, depth = 25, width = 12;
  lathe(mesh,
        {{-1, 0},
         {-1, radius},
         {length - width, radius},
         {length - width, collar},
         {length, collar},
         {length, bore},
         {length - depth, bore},
         {length - depth, 0}},
        frame);
}

void t_pipe(MeshBuilder& mesh) {
  constexpr double low = -12;  // of the crossing arms, so that the whole lies about the origin
  for (const double side : {1.0, -1.0}) {
    arm(mesh, 50, {exp_so3(Vec3{0, 0.5 * pi * side, 0}), {0, 0, low}});
  }
  arm(mesh, 50, {Mat3::identity(), {0, 0, low}});
}

/// A rod bent to an arc in the xz plane, from the angle `from` on by `sweep` (both from x towards z), closed at its
/// ends.
void bent_rod(MeshBuilder& mesh, const Vec3& middle, double bend, double radius, double from, double sweep) {
  constexpr int steps = 24;
  std::vector<std::vector<Vec3>> stack;
  const auto ring = [&](int step, double r) {
    const double angle = from + sweep * step / steps;
    const Vec3 outwards = {std::cos(angle), 0, std::sin(angle)};
    std::vector<Vec3> points;
    for (int i = 0; i < segments; ++i) {
      const double turn = 2 * pi * i / segments;
      points.push_back(middle + (bend + r * std::cos(turn)) * outwards + Vec3{0, r * std::sin(turn), 0});
    }
    return points;
  };
  stack.push_back(ring(0, 0));
  for (int step = 0; step <= steps; ++step) stack.push_back(ring(step, radius));
  stack.push_back(ring(steps, 0));
  mesh.rings(stack);
}

void elbow_pipe(MeshBuilder& mesh) {
  // A quarter of a torus from the end of the arm along z to that of the arm along x.
  constexpr double bend = 30, radius = 15, shift = -28;
  const Vec3 corner = {shift, 0, shift};
  bent_rod(mesh, corner + Vec3{bend, 0, bend}, bend, radius, pi, 0.5 * pi);
  arm(mesh, 40, {Mat3::identity(), corner + Vec3{0, 0, bend}});
  arm(mesh, 40, {along_x(), corner + Vec3{bend, 0, 0}});
}

void flange(MeshBuilder& mesh) {
  constexpr double bottom = -10, top = 4;
  lathe(mesh, {{bottom, 18}, {bottom, 50}, {top, 50}, {top, 26}, {20, 26}, {20, 18}, {bottom, 18}});
  for (int i = 0; i < 6; ++i) {
    const double angle = pi / 3 * i;
    lathe(mesh, {{top - 1, 0}, {top - 1, 6}, {top + 5, 6}, {top + 5, 0}},
          {Mat3::identity(), {38 * std::cos(angle), 38 * std::sin(angle), 0}});
  }
}

void mug(MeshBuilder& mesh) {
  lathe(mesh, {{-47.5, 0}, {-47.5, 40}, {47.5, 40}, {47.5, 36.5}, {-41.5, 36.5}, {-41.5, 0}});
  // The handle's ends stay within the wall.
  bent_rod(mesh, {38, 0, 0}, 26, 5.5, -0.5 * pi, pi);
}

void liqueur_glass(MeshBuilder& mesh) {
  lathe(mesh, {{-60, 0},
               {-60, 28},
               {-57, 28},
               {-54, 5},
               {-50, 4},
               {-15, 4},
               {-10, 8},
               {0, 18},
               {15, 24},
               {40, 24},
               {60, 21},
               {60, 19},
               {40, 22},
               {15, 22},
               {2, 16.5},
               {-6, 6},
               {-8, 0}});
}

void glass(MeshBuilder& mesh) { lathe(mesh, {{-50, 0}, {-50, 28}, {50, 36}, {50, 34}, {-42, 26.5}, {-42, 0}}); }

std::vector<Mat3> turns_about(const Vec3& axis, int fold) {
  std::vector<Mat3> turns;
  for (int i = 0; i < fold; ++i) turns.push_back(exp_so3((2 * pi * i / fold) * axis));
  return turns;
}

/// Every product of one of `a` after one of `b`.
std::vector<Mat3> products(const std::vector<Mat3>& a, const std::vector<Mat3>& b) {
  std::vector<Mat3> result;
  for (const Mat3& first : b) {
    for (const Mat3& then : a) result.push_back(then * first);
  }
  return result;
}

}  // namespace

std::span<const BuiltInPart> built_in_parts() { return all_parts; }

std::string_view to_string(BuiltInPart part) { return names[static_cast<std::size_t>(part)]; }

PointCloud built_in_part(BuiltInPart part) {
  MeshBuilder mesh;
  switch (part) {
    case BuiltInPart::bracket:
      return built_in_part();
    case BuiltInPart::box:
      block(mesh, 90, 60, 40);
      break;
    case BuiltInPart::cube:
      block(mesh, 60, 60, 60);
      break;
    case BuiltInPart::hex_bolt:
      hex_bolt(mesh);
      break;
    case BuiltInPart::hex_nut:
      hex_nut(mesh);
      break;
    case BuiltInPart::cylinder:
      lathe(mesh, {{-45, 0}, {-45, 20}, {45, 20}, {45, 0}});
      break;
    case BuiltInPart::t_pipe:
      t_pipe(mesh);
      break;
    case BuiltInPart::elbow_pipe:
      elbow_pipe(mesh);
      break;
    case BuiltInPart::flange:
      flange(mesh);
      break;
    case BuiltInPart::mug:
      mug(mesh);
      break;
    case BuiltInPart::liqueur_glass:
      liqueur_glass(mesh);
      break;
    case BuiltInPart::glass:
      glass(mesh);
      break;
  }
  return mesh.take();
}

std::vector<Mat3> rotations_onto_itself(BuiltInPart part) {
  const Vec3 x = {1, 0, 0}, z = {0, 0, 1};
  switch (part) {
    case BuiltInPart::bracket:
    case BuiltInPart::mug:
    case BuiltInPart::liqueur_glass:
    case BuiltInPart::glass:
      break;
    case BuiltInPart::box:
      return products(turns_about(x, 2), turns_about(z, 2));
    case BuiltInPart::cube: {
      // The face that comes to lie on top, six ways, and four turns about z.
      const Vec3 y = {0, 1, 0};
      std::vector<Mat3> faces = turns_about(x, 4);
      faces.push_back(exp_so3(0.5 * pi * y)), faces.push_back(exp_so3(-0.5 * pi * y));
      return products(turns_about(z, 4), faces);
    }
    case BuiltInPart::hex_bolt:
    case BuiltInPart::flange:
      return turns_about(z, 6);
    case BuiltInPart::hex_nut:
      return products(turns_about(z, 6), turns_about(x, 2));
    case BuiltInPart::cylinder:
      return turns_about(x, 2);
    case BuiltInPart::t_pipe:
      return turns_about(z, 2);
    case BuiltInPart::elbow_pipe:
      return turns_about((1 / std::sqrt(2.0)) * Vec3{1, 0, 1}, 2);
  }
  return {Mat3::identity()};
}

bool turns_freely_about_z(BuiltInPart part) {
  return part == BuiltInPart::cylinder || part == BuiltInPart::liqueur_glass || part == BuiltInPart::glass;
}

}  // namespace dovetail
