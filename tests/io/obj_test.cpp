// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "io_support.h"

namespace dovetail::test {
namespace {

class ObjRoundTrip : public testing::TestWithParam<Precision> {};

TEST_P(ObjRoundTrip, KeepsNormalsColoursAndFaces) {
  PointCloud cloud = without_size(without_attributes(sample_cloud(GetParam())));
  // With faces only the corners' normals are known.
  for (const std::size_t loose : {5u, 8u, 9u, 10u, 11u}) cloud.normals[loose] = Vec3f{};
  expect_same_text(cloud, round_trip("a.obj", cloud));
  expect_same_text(without_alpha(cloud), round_trip("a.obj", without_alpha(cloud)));
  const PointCloud points = without_faces(without_size(without_attributes(sample_cloud(GetParam()))));
  expect_same_text(points, round_trip("a.obj", points));
}

TEST_P(ObjRoundTrip, SurvivesDamage) {
  expect_survives_damage("a.obj", written("a.obj", sample_cloud(GetParam())), false);
}

INSTANTIATE_TEST_SUITE_P(All, ObjRoundTrip, testing::Values(Precision::float32, Precision::float64));

TEST(Obj, ReadsEveryFormOfFace) {
  const PointCloud cloud = parse("a.obj",
                                 "mtllib x.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\nv  1 1 0 # a corner\nvt 0 0\nvn 0 0 1\n"
                                 "f 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 3/1/1\nv 0 1 0\n"
                                 "f -4 -3 -2 \\\n  -1\nf 5 1 2\nv 2 2 2\ns off\nl 1 2\n");
  ASSERT_EQ(cloud.size(), 5u);
  EXPECT_EQ(cloud.positions[2], (Vec3{1, 1, 0}));
  EXPECT_EQ(cloud.faces.size(), 6u);
  EXPECT_EQ(cloud.faces.index, (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4, 0, 1}));
  ASSERT_EQ(cloud.normals.size(), 5u);
  EXPECT_EQ(cloud.normals[0], (Vec3f{0, 0, 1}));
  EXPECT_EQ(cloud.normals[3], (Vec3f{}));  // not known
  EXPECT_TRUE(cloud.colors.empty());
}

TEST(Obj, DropsNormalsThatDifferAtAPoint) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvn 1 0 0\nvn 0 0 1\n";
  EXPECT_TRUE(parse("a.obj", points + "f 1//1 2//1 3//1\nf 1//2 3//2 4//2\n").normals.empty());
  EXPECT_EQ(parse("a.obj", points + "f 1//1 2//1 3//1\nf 1//3 3//3 4//3\n").normals.size(), 4u);  // equal values
}

TEST(Obj, ReadsColoursOfBothRanges) {
  using Color = std::array<std::uint8_t, 4>;
  EXPECT_EQ(parse("a.obj", "v 0 0 0 0 0.5 1\n").colors.at(0), (Color{0, 128, 255, 255}));
  EXPECT_EQ(parse("a.obj", "v 0 0 0 0 128 255\n").colors.at(0), (Color{0, 128, 255, 255}));
  EXPECT_TRUE(parse("a.obj", "v 0 0 0 0 0 1\nv 1 1 1\n").colors.empty());  // not of every point
}

TEST(Obj, RefusesWithThePlaceAndTheReason) {
  expect_refused("a.obj", "v 1 2\n", "line 1: a number is missing");
  expect_refused("a.obj", "v 1 2 x\n", "line 1: 'x' is not a number");
  expect_refused("a.obj", "v 1 2 3 4 5\n", "line 1: a vertex has 3, 4, 6 or 7 numbers");
  expect_refused("a.obj", "v 1 2 3 4 5 6 7 8\n", "line 1: a vertex has");
  expect_refused("a.obj", "v 1 2 3\nf 1 1 2\n", "line 2: a face names vertex 2, but there are 1");
  expect_refused("a.obj", "v 1 2 3\nf 1 1 0\n", "line 2: '0' is not the number of a vertex");
  expect_refused("a.obj", "v 1 2 3\nf 1 1 -2\n", "line 2: '-2' is not the number of a vertex");
  expect_refused("a.obj", "v 1 2 3\nf 1//1 1//1 1//1\n", "line 2: a face names normal 1, but 0 came before it");
  expect_refused("a.obj", "v 1 2 3\nf 1/ 4294967297 1\n", "line 2: '4294967297' is not the number");
  expect_refused("a.obj", "# nothing\n", "no points");
}

}  // namespace
}  // namespace dovetail::test
