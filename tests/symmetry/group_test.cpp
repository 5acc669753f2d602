// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <chrono>

#include "dovetail/dovetail.h"
#include "dovetail/scanner.h"
#include "symmetry/symmetry_parts.h"

// A part's group is known from how it is made: the reason stands beside each.

namespace dovetail::test {
namespace {

struct Case {
  const char* name;
  PointCloud part;
  const char* group;
  bool mirror;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  const auto add = [&](const char* name, PointCloud part, const char* group, bool mirror) {
    list.push_back({name, std::move(part), group, mirror});
  };
  add("cube", cube(), "O", true);
  // 64 facets leave their circle by 0.12% of the radius: within 1% of the diameter it turns freely.
  add("cylinder", prism(polygon(64, 20), -45, 45), "D∞", true);
  add(
      "frustum",
      [] {
        PointCloud cone = prism(polygon(64, 20), 0, 50);
        for (Vec3& p : cone.positions) p = p[2] > 0 ? Vec3{0.5 * p[0], 0.5 * p[1], p[2]} : p;
        return cone;
      }(),
      "C∞", true);
  add("sphere", ball(30, 24), "sphere", true);
  // Equal legs: the half turn about the bisector in the plane of the L exchanges them and turns the L over.
  add("L of equal legs", prism(l_outline(60), 0, 30, {10, 10}), "C2", true);
  // Unequal ones: nothing exchanges them; turned over, a leg would point the wrong way. The plane of the L mirrors.
  add("L of unequal legs", prism(l_outline(45), 0, 30, {10, 10}), "C1", true);
  add("flat hexagonal prism", prism(polygon(6, 30), -8, 8), "D6", true);
  add("long hexagonal prism", prism(polygon(6, 15), -40, 40), "D6", true);
  // A hexagonal prism whose three moments are equal: the moments show no axis at all.
  add("hexagonal prism of equal moments", prism(polygon(6, 30), -23.18, 23.18), "D6", true);
  add("triangular prism", prism(polygon(3, 30), -10, 10), "D3", true);
  add("square bar", prism(polygon(4, 20), -50, 50), "D4", true);
  add("brick", prism({{-30, -20}, {30, -20}, {30, 20}, {-30, 20}}, -10, 10), "D2", true);
  // Turned over about the axis through the middle of its wire, a helix of constant pitch and radius runs along itself:
  // (x, y, z) → (x, −y, −z) takes the angle a and the height ca to −a and −ca.
  add("spring", spring(3.25), "C2", false);
  add("tapered spring", tapered_spring(3.25), "C1", false);
  add("gear of 17 teeth", gear(17, 0), "D17", true);
  // Leaning teeth: half turns across would lean them to the other side. Mirrored at its own plane it stays.
  add("saw blade of 12 teeth", gear(12, 0.25), "C12", true);
  add("tetrahedron", tetrahedron(), "T", true);
  add("octahedron", octahedron(), "O", true);
  add("icosahedron", icosahedron(), "I", true);
  add("chiral part", chiral_part(), "C1", false);
  add("its mirror image", mirrored(chiral_part()), "C1", false);
  // A lug of 2% of the diameter on one face of the cube leaves the turns about the axis through it; 0.5% is nothing.
  const double diagonal = 40 * std::sqrt(3.0);
  add("cube with a lug", joined(cube(), moved(prism(polygon(4, 5), 0, 0.02 * diagonal), {0, 0, 20})), "C4", true);
  add("cube with a thin lug", joined(cube(), moved(prism(polygon(4, 5), 0, 0.005 * diagonal), {0, 0, 20})), "O", true);
  return list;
}

/// Proper rotations about the centre, closed under composition.
void expect_group(const Symmetry& s) {
  for (const Transform& a : s.rotations) {
    EXPECT_NEAR(determinant(a.as<Rigid3>().rotation), 1, 1e-9) << "a reflection is no rotation";
    EXPECT_LT(distance_between(a, Transform(), s.center), 1e-9 * s.diameter) << "the centre stays";
    for (const Transform& b : s.rotations) {
      const bool closed = std::any_of(s.rotations.begin(), s.rotations.end(), [&](const Transform& c) {
        return rotation_angle_between(a * b, c) < 1e-7;  // half the digits, of angles
      });
      EXPECT_TRUE(closed);
    }
  }
}

TEST(SymmetryGroup, IsThatOfThePart) {
  for (const Case& c : cases()) {
    const auto began = std::chrono::steady_clock::now();
    const Symmetry found = find_symmetry(c.part);
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
    std::printf("    %-34s %-7s %-7s %.2g of the diameter, %.0f ms\n", c.name, c.group, group_name(found).c_str(),
                found.deviation / found.diameter, ms);
    EXPECT_EQ(group_name(found), c.group) << c.name;
    EXPECT_EQ(found.mirror, c.mirror) << c.name;
    EXPECT_LE(found.deviation, found.tolerance) << c.name;
    expect_group(found);
  }
}

TEST(SymmetryGroup, NumbersOfAxesAreThoseOfTheGroup) {
  const auto count = [](const Symmetry& s, int order) {
    return std::count_if(s.axes.begin(), s.axes.end(), [&](const SymmetryAxis& a) { return a.order == order; });
  };
  const Symmetry o = find_symmetry(cube()), i = find_symmetry(icosahedron()), t = find_symmetry(tetrahedron());
  EXPECT_EQ(o.rotations.size(), 24u);
  EXPECT_EQ(count(o, 4), 3);
  EXPECT_EQ(count(o, 3), 4);
  EXPECT_EQ(count(o, 2), 6);
  EXPECT_EQ(i.rotations.size(), 60u);
  EXPECT_EQ(count(i, 5), 6);
  EXPECT_EQ(count(i, 3), 10);
  EXPECT_EQ(count(i, 2), 15);
  EXPECT_EQ(t.rotations.size(), 12u);
  EXPECT_EQ(count(t, 3), 4);
  EXPECT_EQ(count(t, 2), 3);
  const Symmetry d = find_symmetry(prism(polygon(6, 30), -8, 8));
  EXPECT_EQ(d.rotations.size(), 12u);
  EXPECT_EQ(d.axes.front().order, 6);
  EXPECT_EQ(count(d, 2), 6);
}

/// The mesh is exact, and so are centre and axis: to what rounding leaves of a least-squares fit.
TEST(SymmetryGroup, AxisAndCentreAreExact) {
  const Symmetry s = find_symmetry(prism(polygon(6, 30), -8, 12));
  EXPECT_LT(norm(s.center - Vec3{0, 0, 2}), 1e-7);
  EXPECT_LT(norm(cross(s.axes.front().direction, {0, 0, 1})), 1e-8);
  EXPECT_LT(s.deviation, 1e-7);
  EXPECT_NEAR(s.diameter, std::hypot(60.0, 20.0), 1e-9);
}

TEST(SymmetryGroup, ToleranceDecides) {
  // Corners of a hexagon of radius 30 stand 30 (1 − cos 30°) = 4.02 out of its inscribed circle, which no turn exceeds.
  const PointCloud hexagon = prism(polygon(6, 30), -8, 8);
  EXPECT_EQ(group_name(find_symmetry(hexagon, {.tolerance = 4.5})), "D∞");
  EXPECT_EQ(group_name(find_symmetry(hexagon, {.tolerance = 1})), "D6");
  // 64 facets of a circle of radius 20 leave it by 20 (1 − cos(π/64)) = 0.024; half a facet's turn shows it.
  const PointCloud cylinder = prism(polygon(64, 20), -45, 45);
  EXPECT_EQ(group_name(find_symmetry(cylinder, {.tolerance = 0.01})), "D64");
  EXPECT_EQ(group_name(find_symmetry(cylinder, {.tolerance = 0.03})), "D∞");
}

/// Turned any way, a chiral part does not lie on its mirror image: else a turn after the mirror would be a symmetry.
TEST(SymmetryGroup, MirrorImagesAreToldApart) {
  const Symmetry both =
      find_symmetry(joined(moved(chiral_part(), {60, 0, 0}), moved(mirrored(chiral_part()), {-60, 0, 0})));
  EXPECT_EQ(group_name(both), "C1") << "only a mirror exchanges the two";
  EXPECT_TRUE(both.mirror);
  PointCloud turned = chiral_part();
  for (Vec3& p : turned.positions) p = {-p[0], -p[1], p[2]};
  const Symmetry pair = find_symmetry(joined(moved(chiral_part(), {60, 0, 0}), moved(turned, {-60, 0, 0})));
  EXPECT_EQ(group_name(pair), "C2") << "a half turn exchanges two of a kind";
  EXPECT_FALSE(pair.mirror);
}

TEST(SymmetryGroup, OfBuiltInPartsIsWhatTheyAreMadeWith) {
  for (const BuiltInPart part : built_in_parts()) {
    const Symmetry found = find_symmetry(built_in_part(part));
    const std::vector<Mat3> known = rotations_onto_itself(part);
    EXPECT_EQ(found.rotations.size(), known.size()) << to_string(part) << " " << group_name(found);
    EXPECT_EQ(found.kind == SymmetryKind::revolution_with_flips, part == BuiltInPart::cylinder) << to_string(part);
    if (part == BuiltInPart::cylinder) continue;  // any half turn across may stand for the others
    for (const Mat3& rotation : known) {
      const bool there = std::any_of(found.rotations.begin(), found.rotations.end(), [&](const Transform& t) {
        return rotation_angle(transpose(rotation) * t.as<Rigid3>().rotation) < 1e-3;  // bores have 64 facets, not 6 n
      });
      EXPECT_TRUE(there) << to_string(part);
    }
  }
}

}  // namespace
}  // namespace dovetail::test
