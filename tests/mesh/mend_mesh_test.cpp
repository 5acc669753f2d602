// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "dovetail/mesh_check.h"
#include "dovetail/scanner.h"
#include "mesh/broken_meshes.h"

namespace dovetail::test {
namespace {

TEST(DropBrokenFaces, goes_back_to_the_mesh_without_them) {
  const PointCloud cube = cube_mesh();
  PointCloud broken = cube;
  broken.positions.push_back({0.5, 0.5, 5});  // of no face: it stays
  for (const double wrong : {std::nan(""), HUGE_VAL, -1e308, 1e151}) {
    const auto first = static_cast<std::uint32_t>(broken.size());
    broken.positions.push_back({0, 0, 9});
    broken.positions.push_back({0, wrong, 0});
    broken.faces.add({0, first, first + 1});
  }
  broken.positions.push_back({0, 0, std::nan("")});  // of no face either
  broken.faces.add({0, 1, 999});
  broken.faces.add({0, 1});
  EXPECT_EQ(check_mesh(broken).broken_faces, 6u);
  EXPECT_NEAR(check_mesh(broken).diagonal, std::sqrt(3.0), 1e-12);
  EXPECT_EQ(drop_broken_faces(broken), 6u);
  EXPECT_EQ(broken.faces.index, cube.faces.index);
  EXPECT_EQ(broken.faces.start, cube.faces.start);
  ASSERT_EQ(broken.size(), 9u);
  EXPECT_EQ(broken.positions[8], (Vec3{0.5, 0.5, 5}));
  EXPECT_EQ(drop_broken_faces(broken), 0u);
}

// Whatever is turned, doubled and shuffled of a part comes out as the part was.
TEST(MendMesh, parts_come_back) {
  for (const BuiltInPart part : built_in_parts()) {
    const PointCloud whole = built_in_part(part);
    const double volume = check_mesh(whole).volume;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      RandomStream random(seed, 5);
      PointCloud broken = as_soup(whole);
      const auto faces = static_cast<std::uint32_t>(broken.faces.size());
      // An eighth at most: where half of a small solid is turned nobody can say which half.
      for (std::uint32_t i = 0; i < faces / 8; ++i) repeat(broken, random.below(faces));
      for (std::uint32_t i = 0; i < faces; ++i) {
        if (random.below(8) == 0) {
          for (std::size_t f = i; f < broken.faces.size(); ++f) {
            // Doubles of a face with it: a face there once each way may be a wall between solids.
            if (broken.faces.index[broken.faces.start[f]] / 3 == i) flip(broken, f);
          }
        }
      }
      const PointCloud mended = mend_mesh(broken);
      const MeshCheck check = check_mesh(mended);
      EXPECT_TRUE(check.sound()) << to_string(part) << ", seed " << seed;
      EXPECT_EQ(check.doubled_triangles + check.flipped_triangles + check.inside_out, 0u) << to_string(part);
      EXPECT_NEAR(check.volume / volume, 1, 1e-12) << to_string(part) << ", seed " << seed;
    }
  }
}

TEST(MendMesh, small_holes_are_closed_and_large_ones_stay) {
  const PointCloud ball = ball_mesh(1, 60);
  const PointCloud mended = mend_mesh(without(without(ball, 5000), 100));
  const MeshCheck check = check_mesh(mended);
  EXPECT_TRUE(check.sound());
  // The middle of a triangle lies in it: nothing is lost.
  EXPECT_NEAR(check.volume, check_mesh(ball).volume, 1e-12);
  const PointCloud open = mend_mesh(without(cube_mesh(), 1));
  EXPECT_EQ(check_mesh(open).holes, 1u);
  EXPECT_EQ(open.faces.size(), 10u);
}

TEST(MendMesh, a_sound_mesh_keeps_its_surface) {
  for (const BuiltInPart part : built_in_parts()) {
    const PointCloud whole = built_in_part(part);
    const MeshCheck was = check_mesh(whole), is = check_mesh(mend_mesh(whole));
    EXPECT_EQ(is.triangles + was.flat_triangles, was.triangles) << to_string(part);
    EXPECT_NEAR(is.volume / was.volume, 1, 1e-12) << to_string(part);
    EXPECT_NEAR(is.area / was.area, 1, 1e-12) << to_string(part);
  }
}

TEST(MendMesh, points_stay_points) {
  PointCloud cloud;
  cloud.positions = {{0, 0, 0}, {1, 0, 0}};
  EXPECT_TRUE(mend_mesh(cloud).faces.empty());
}

}  // namespace
}  // namespace dovetail::test
