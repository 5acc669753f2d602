// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "dovetail/dovetail.h"
#include "symmetry/symmetry_parts.h"

// Points alone: random ones on the surface of a part, with noise. Their spacing and noise are allowed for.

namespace dovetail::test {
namespace {

struct Case {
  const char* name;
  PointCloud mesh;
  const char* group;
};

std::vector<Case> cases() {
  return {{"cube", cube(), "O"},
          {"cylinder", prism(polygon(64, 20), -45, 45), "D∞"},
          {"sphere", ball(30, 24), "sphere"},
          {"hexagonal prism", prism(polygon(6, 30), -12, 12), "D6"},
          {"brick", prism({{-30, -20}, {30, -20}, {30, 20}, {-30, 20}}, -10, 10), "D2"},
          {"L of equal legs", prism(l_outline(60), 0, 30, {10, 10}), "C2"},
          {"L of unequal legs", prism(l_outline(40), 0, 30, {10, 10}), "C1"},
          {"chiral part", chiral_part(), "C1"}};
}

TEST(SymmetryOfClouds, IsThatOfTheSurfaceTheyWereTakenFrom) {
  for (const Case& c : cases()) {
    const double diameter = find_symmetry(c.mesh).diameter;
    for (const double noise : {0.0, 0.002}) {
      const Symmetry found = find_symmetry(sampled(c.mesh, 20000, 3, noise * diameter));
      std::printf("    %-20s noise %.3f: %-7s %-7s deviation %.4f, allowance %.4f of the diameter\n", c.name, noise,
                  c.group, group_name(found).c_str(), found.deviation / found.diameter,
                  found.allowance / found.diameter);
      EXPECT_EQ(group_name(found), c.group) << c.name << " noise " << noise;
      EXPECT_FALSE(found.has_faces);
      EXPECT_GT(found.allowance, 0);
      EXPECT_LE(found.deviation, found.tolerance + found.allowance);
      // 20,000 points spread over some 2 diameters² are about 1% of it apart, discs and noise a part of that more.
      EXPECT_LT(found.allowance, 0.025 * found.diameter);
    }
  }
}

/// Ten times as many points on one side: the surface is the same, so is its symmetry.
TEST(SymmetryOfClouds, DoesNotDependOnDensity) {
  PointCloud cloud = sampled(prism(polygon(6, 30), -12, 12), 8000, 3, 0);
  for (const Vec3& p : sampled(prism(polygon(6, 30), -12, 12), 60000, 4, 0).positions) {
    if (p[0] > 0) cloud.positions.push_back(p);
  }
  EXPECT_EQ(group_name(find_symmetry(cloud)), "D6");
}

/// Half of a sphere turns about its own axis and no other: the symmetry of what is there.
TEST(SymmetryOfClouds, PartialViewsAreTakenAsTheyAre) {
  PointCloud half;
  for (const Vec3& p : sampled(ball(30, 24), 30000, 5, 0).positions) {
    if (p[2] > 0) half.positions.push_back(p);
  }
  const Symmetry found = find_symmetry(half);
  EXPECT_EQ(group_name(found), "C∞");
  EXPECT_LT(norm(cross(found.axes.front().direction, {0, 0, 1})), 0.02);
}

}  // namespace
}  // namespace dovetail::test
