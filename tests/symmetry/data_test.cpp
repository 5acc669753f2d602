// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "dovetail/dovetail.h"
#include "support/test_data.h"
#include "symmetry/symmetry_parts.h"

// Parts that nobody here made. What their groups are follows from their dimensions, read from the files.

namespace dovetail::test {
namespace {

Symmetry symmetry_of(const std::string& file, double tolerance_of_diameter = 0.01) {
  const PointCloud part = read_points(data_folder() / file);
  const double diameter = find_symmetry(part).diameter;
  return find_symmetry(part, {.tolerance = tolerance_of_diameter * diameter});
}

/// 203.2 × 304.8 × 12.7, diameter 347: four equal holes at the corners of a rectangle about the middle; a bored hole
/// with a counterbore on one side (radii 3.4 and 5.6) 2.1 off the middle along y; edges rounded on one side (6.35).
/// - The half turn about y: changes the sides. Counterbore and bore differ by 2.2, a sharp edge stands (√2 − 1) 6.35 =
///   2.6 out of a round one: both below 3.47, so symmetric.
/// - Half turns about z and x move the middle hole by 4.2, which is above 3.47. No turn else keeps the rectangle.
/// - The mirror at x = 101.6 keeps everything.
TEST(SymmetryOfRealParts, PlateWithHoles) {
  DOVETAIL_NEEDS_DATA();
  const Symmetry s = symmetry_of("cad/plate_holes.STL");
  EXPECT_EQ(group_name(s), "C2");
  EXPECT_TRUE(s.mirror);
  EXPECT_LT(norm(cross(s.axes.front().direction, {0, 1, 0})), 1e-3);
  EXPECT_GT(s.deviation, 2.2) << "the counterbore alone";
  // Where the rounded edges count, 0.5% of the diameter, no turn is left.
  EXPECT_EQ(group_name(symmetry_of("cad/plate_holes.STL", 0.005)), "C1");
}

/// A tube along y with 15 or more facets around: turns freely within its facets, and its ends are alike.
TEST(SymmetryOfRealParts, Tube) {
  DOVETAIL_NEEDS_DATA();
  const Symmetry s = symmetry_of("cad/tube.obj");
  EXPECT_EQ(group_name(s), "D∞");
  EXPECT_LT(norm(cross(s.axes.front().direction, {0, 1, 0})), 1e-3);
}

/// A block whose section across x has four sides at 90, 75, 105 and 90 degrees, no two faces of one size but those at
/// x = ±0.669; pockets in one face alone. A turn would have to keep that face and all others as they are, for their
/// sizes differ (1.29, 0.84, 0.73 ...): none does. Everything in it lies at x = 0 or in pairs at ±x: it has a mirror.
TEST(SymmetryOfRealParts, AngleBlock) {
  DOVETAIL_NEEDS_DATA();
  const Symmetry s = symmetry_of("cad/angle_block.STL");
  EXPECT_EQ(group_name(s), "C1");
  EXPECT_TRUE(s.mirror);
}

/// Nothing about a rabbit is symmetric.
TEST(SymmetryOfRealParts, Bunny) {
  DOVETAIL_NEEDS_DATA();
  for (const char* file : {"stanford_bunny/bun_zipper_res2.ply", "stanford_bunny/bun_zipper_res3.ply"}) {
    const Symmetry s = symmetry_of(file);
    EXPECT_EQ(group_name(s), "C1") << file;
    EXPECT_FALSE(s.mirror) << file;
  }
}

/// A round head of radius 12 without a drive, a shaft of radius 7.84 and a thread cut 1.456 deep: 3.2% of
/// the diameter of 44.9. Every turn leaves every point within the thread's depth of the surface, so that from 3.3% on
/// it turns freely; the ends differ, so that nothing turns it over. At 1% the thread's ends tell every angle apart, and
/// the thread tells left from right.
TEST(SymmetryOfRealParts, ThreadedBolt) {
  DOVETAIL_NEEDS_DATA();
  const Symmetry fine = symmetry_of("cad/bolt_m16.obj"), coarse = symmetry_of("cad/bolt_m16.obj", 0.04);
  EXPECT_EQ(group_name(fine), "C1");
  EXPECT_FALSE(fine.mirror);
  EXPECT_EQ(group_name(coarse), "C∞");
  EXPECT_LT(norm(cross(coarse.axes.front().direction, {0, 0, 1})), 0.01);
  EXPECT_LE(coarse.deviation, 1.47e-3);
}

}  // namespace
}  // namespace dovetail::test
