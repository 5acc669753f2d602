// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "dovetail/mesh_check.h"
#include "dovetail/scanner.h"
#include "mesh/broken_meshes.h"

namespace dovetail::test {
namespace {

/// Everything it says, in one line.
std::string told(const MeshCheck& check) {
  std::string text;
  for (const MeshFinding& finding : describe(check, "mm")) text += (text.empty() ? "" : "; ") + finding.text;
  return text;
}

TEST(CheckMesh, a_cube_is_sound) {
  for (const PointCloud& cube : {cube_mesh(), as_soup(cube_mesh())}) {
    const MeshCheck check = check_mesh(cube);
    EXPECT_TRUE(check.sound()) << told(check);
    EXPECT_TRUE(check.closed());
    EXPECT_EQ(check.triangles, 12u);
    EXPECT_EQ(check.corners, 8u);
    EXPECT_EQ(check.surfaces, 1u);
    EXPECT_NEAR(check.volume, 1, 1e-14);
    EXPECT_NEAR(check.area, 6, 1e-14);
    EXPECT_EQ(told(check), "");
  }
}

TEST(CheckMesh, built_in_parts_are_sound) {
  for (const BuiltInPart part : built_in_parts()) {
    const MeshCheck check = check_mesh(built_in_part(part));
    EXPECT_TRUE(check.sound()) << to_string(part) << ": " << told(check);
    EXPECT_EQ(check.inside_out + check.flipped_triangles + check.doubled_triangles, 0u) << to_string(part);
    EXPECT_GT(check.volume, 0) << to_string(part);
  }
}

// Corners that are nearly one, as files of single precision have them.
TEST(CheckMesh, corners_that_nearly_meet_are_one) {
  PointCloud soup = shifted(as_soup(ball_mesh(1, 12)), {3, -2, 5});
  for (Vec3& p : soup.positions) {
    for (int k = 0; k < 3; ++k) p[k] = static_cast<float>(p[k]);
  }
  RandomStream random(1, 0);
  // Half of a millionth of the diagonal of 3.46, in any direction.
  for (Vec3& p : soup.positions) p += 0.8e-6 * (random.rotation() * Vec3{1, 0, 0});
  const MeshCheck check = check_mesh(soup);
  EXPECT_TRUE(check.closed()) << told(check);
  EXPECT_EQ(check.corners, 2u + 11 * 24);
  EXPECT_EQ(check.flat_triangles, 0u);
}

TEST(CheckMesh, flipped_triangles_are_counted) {
  RandomStream random(2, 0);
  for (const std::size_t count : {1u, 5u, 40u}) {
    PointCloud ball = ball_mesh(10, 10);
    std::vector<bool> done(ball.faces.size(), false);
    for (std::size_t n = 0; n < count;) {
      const std::size_t face = random.below(static_cast<std::uint32_t>(ball.faces.size()));
      if (done[face]) continue;
      done[face] = true, ++n;
      flip(ball, face);
    }
    const MeshCheck check = check_mesh(ball);
    EXPECT_EQ(check.flipped_triangles, count);
    EXPECT_EQ(check.inside_out, 0u);
    EXPECT_FALSE(check.sound());
    EXPECT_NEAR(check.volume, check_mesh(ball_mesh(10, 10)).volume, 1e-9);
  }
}

TEST(CheckMesh, what_shows_its_inside_is_told) {
  const MeshCheck check = check_mesh(turned_inside_out(cube_mesh()));
  EXPECT_EQ(check.inside_out, 1u);
  EXPECT_EQ(check.flipped_triangles, 0u);
  EXPECT_NEAR(check.volume, 1, 1e-14);
  EXPECT_EQ(told(check), "shows its inside all over");
  // Of two solids one.
  const MeshCheck two = check_mesh(both(cube_mesh(), shifted(turned_inside_out(cube_mesh()), {3, 0, 0})));
  EXPECT_EQ(two.inside_out, 1u);
  EXPECT_EQ(told(two), "1 of 2 surfaces show their inside");
}

// A hollow shows its outside to the material: that is right.
TEST(CheckMesh, a_hollow_is_right_as_it_is) {
  const PointCloud hollow = both(ball_mesh(10, 8), turned_inside_out(ball_mesh(5, 8)));
  const MeshCheck check = check_mesh(hollow);
  EXPECT_TRUE(check.sound()) << told(check);
  EXPECT_EQ(check.surfaces, 2u);
  EXPECT_NEAR(check.volume, check_mesh(ball_mesh(10, 8)).volume * (1 - 0.125), 1e-9);
  const MeshCheck turned = check_mesh(turned_inside_out(hollow));
  EXPECT_EQ(turned.inside_out, 2u);
  EXPECT_NEAR(turned.volume, check.volume, 1e-9);
}

TEST(CheckMesh, doubled_triangles_are_counted) {
  PointCloud ball = ball_mesh(1, 8);
  const std::size_t faces = ball.faces.size();
  for (const std::size_t face : {3u, 17u, 17u, 30u}) repeat(ball, face);
  flip(ball, faces);  // once the other way round
  const MeshCheck check = check_mesh(ball);
  // Face 3 is there once each way, which cancels as the wall between two solids would: it stays.
  EXPECT_EQ(check.doubled_triangles, 3u);
  EXPECT_NEAR(check_mesh(as_soup(ball_mesh(1, 8))).volume, check_mesh(ball_mesh(1, 8)).volume, 1e-12);
  // Every face once for each side, as files made for pictures have it.
  const MeshCheck sides = check_mesh(both(ball_mesh(1, 8), turned_inside_out(ball_mesh(1, 8))));
  EXPECT_EQ(sides.doubled_triangles, faces);
  EXPECT_EQ(sides.surfaces, 1u);
  EXPECT_EQ(sides.inside_out, 0u);
  EXPECT_NEAR(sides.volume, check_mesh(ball_mesh(1, 8)).volume, 1e-12);
}

TEST(CheckMesh, holes_are_counted_and_measured) {
  const MeshCheck open_cube = check_mesh(without(cube_mesh(), 1));
  EXPECT_EQ(open_cube.holes, 1u);
  EXPECT_EQ(open_cube.small_holes, 0u);
  EXPECT_EQ(open_cube.open_edges, 4u);
  EXPECT_NEAR(open_cube.largest_hole, std::sqrt(2.0), 1e-14);
  EXPECT_TRUE(open_cube.open());
  EXPECT_FALSE(open_cube.sound());
  EXPECT_EQ(told(open_cube), "1 hole, the largest 1.414 mm across");
  // Two triangles of a fine ball, far from each other.
  const MeshCheck pricked = check_mesh(without(without(ball_mesh(1, 60), 5000), 100));
  EXPECT_EQ(pricked.holes, 2u);
  EXPECT_EQ(pricked.small_holes, 2u);
  EXPECT_EQ(pricked.open_edges, 6u);
  EXPECT_FALSE(pricked.open());
}

// An edge of the cube is one edge of one face, and two of the other.
TEST(CheckMesh, a_slit_is_no_hole) {
  PointCloud cube = without(cube_mesh(), 2);  // {0, 1, 5, 4}
  cube.positions.push_back({0.3, 0, 0});
  cube.faces.add({8, 1, 5, 4, 0});
  const MeshCheck check = check_mesh(cube);
  EXPECT_EQ(check.holes, 0u) << told(check);
  EXPECT_EQ(check.slits, 1u);
  EXPECT_EQ(check.open_edges, 3u);
  EXPECT_EQ(check.surfaces, 1u);
  EXPECT_TRUE(check.sound());
  EXPECT_EQ(told(check), "1 slit without width");
  EXPECT_NEAR(check.volume, 1, 1e-14);
  // What hangs together by slits alone still shows one side.
  PointCloud lid = as_soup(box_mesh({0, 0, 0}, {1, 1, 1}));
  lid = without(without(lid, 0), 0);
  const auto first = static_cast<std::uint32_t>(lid.size());
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{0.5, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 0.5, 0}, Vec3{1, 1, 0}, Vec3{0.5, 1, 0},
                        Vec3{0, 1, 0}, Vec3{0, 0.5, 0}, Vec3{0.5, 0.5, 0}}) {
    lid.positions.push_back(p);
  }
  for (std::uint32_t k = 0; k < 8; ++k) lid.faces.add({first + 8, first + k, first + (k + 1) % 8});  // the wrong way
  const MeshCheck wrong = check_mesh(lid);
  EXPECT_EQ(wrong.surfaces, 1u);
  EXPECT_EQ(wrong.flipped_triangles, 8u);
  EXPECT_TRUE(wrong.closed());
  EXPECT_NEAR(wrong.volume, 1, 1e-14);
}

TEST(CheckMesh, solids_that_touch_are_told_from_walls_inside) {
  const MeshCheck touching = check_mesh(both(cube_mesh(), box_mesh({1, 0, 0}, {2, 1, 1})));
  // The four edges of the common wall, and the diagonal along which both squares of it are cut.
  EXPECT_EQ(touching.crowded_edges, 5u);
  EXPECT_EQ(touching.uneven_edges, 0u);
  EXPECT_TRUE(touching.sound()) << told(touching);
  EXPECT_NEAR(touching.volume, 2, 1e-14);
  PointCloud walled = cube_mesh();
  walled.faces.add({0, 1, 7, 6});  // from one edge to the opposite one
  const MeshCheck wall = check_mesh(walled);
  EXPECT_GE(wall.uneven_edges, 2u);
  EXPECT_FALSE(wall.sound());
}

TEST(CheckMesh, a_moebius_band_has_one_side) {
  const MeshCheck check = check_mesh(moebius_band(40));
  EXPECT_EQ(check.one_sided, 1u);
  EXPECT_EQ(check.surfaces, 1u);
  EXPECT_EQ(check.holes, 1u) << "its border is one line";
  EXPECT_FALSE(check.sound());
}

TEST(CheckMesh, crossings_are_told_from_overlaps) {
  const PointCloud cube = cube_mesh();
  const MeshCheck overlap = check_mesh(both(cube, shifted(cube, {0.4, 0.3, 0.2})));
  EXPECT_EQ(overlap.overlaps, 1u);
  EXPECT_EQ(overlap.crossing_triangles, 0u);
  EXPECT_TRUE(overlap.sound()) << told(overlap);
  PointCloud folded = as_soup(cube);
  for (Vec3& p : folded.positions) {
    if (p[0] == 0 && p[1] == 0 && p[2] == 0) p = {1.4, 0.55, 0.45};  // through the face opposite
  }
  const MeshCheck crossing = check_mesh(folded);
  EXPECT_EQ(crossing.surfaces, 1u);
  EXPECT_GE(crossing.crossing_triangles, 4u) << "three about the corner, and what they pass through";
  EXPECT_FALSE(crossing.sound());
  // What only touches does not cross.
  EXPECT_EQ(check_mesh(both(cube, shifted(cube, {1, 0.3, 0.2}))).overlaps, 0u);
}

TEST(CheckMesh, broken_and_flat_faces_are_counted) {
  PointCloud cube = cube_mesh();
  cube.faces.add({0, 1, 99});
  cube.positions.push_back({std::numeric_limits<double>::quiet_NaN(), 0, 0});
  cube.faces.add({0, 1, 8});
  cube.faces.add({2, 3});
  cube.faces.add({4, 4, 5});
  const MeshCheck check = check_mesh(cube);
  EXPECT_EQ(check.broken_faces, 3u);
  EXPECT_EQ(check.flat_triangles, 1u);
  EXPECT_TRUE(check.closed());
  EXPECT_NEAR(check.volume, 1, 1e-14);
  EXPECT_FALSE(check.sound());
}

TEST(CheckMesh, no_volume_is_told) {
  PointCloud flat = cube_mesh();
  for (Vec3& p : flat.positions) p[2] *= 1e-9;
  EXPECT_FALSE(check_mesh(flat).sound());
  PointCloud sheet;
  sheet.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  sheet.faces.add({0, 1, 2, 3});
  EXPECT_TRUE(check_mesh(sheet).open());
  sheet.faces.add({3, 2, 1, 0});
  const MeshCheck sides = check_mesh(sheet);
  // Cut along different diagonals: four triangles, a closed surface.
  EXPECT_EQ(sides.holes, 0u);
  EXPECT_EQ(sides.doubled_triangles, 0u);
  EXPECT_EQ(told(sides), "encloses no volume");
}

TEST(CheckMesh, a_cloud_is_not_wrong) {
  PointCloud cloud;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(told(check_mesh(cloud)), "");
  EXPECT_EQ(told(check_mesh({})), "");
}

TEST(CheckMesh, size_place_and_threads_do_not_matter) {
  PointCloud mug = built_in_part(BuiltInPart::mug);
  flip(mug, 7), repeat(mug, 30);
  const MeshCheck one = check_mesh(mug, 1), two = check_mesh(mug, 2);
  for (Vec3& p : mug.positions) p = 1e-3 * (p + Vec3{500, -300, 200});
  const MeshCheck small = check_mesh(mug);
  for (const MeshCheck* other : {&two, &small}) {
    EXPECT_EQ(one.corners, other->corners);
    EXPECT_EQ(one.flipped_triangles, other->flipped_triangles);
    EXPECT_EQ(one.doubled_triangles, other->doubled_triangles);
    EXPECT_EQ(one.crossing_triangles, other->crossing_triangles);
    EXPECT_EQ(one.overlaps, other->overlaps);
  }
  EXPECT_EQ(one.volume, two.volume);
  EXPECT_NEAR(1e9 * small.volume / one.volume, 1, 1e-9);
}

}  // namespace
}  // namespace dovetail::test
