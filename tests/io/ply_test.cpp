// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "dovetail/error.h"
#include "io_support.h"

namespace dovetail::test {
namespace {

class PlyRoundTrip : public testing::TestWithParam<std::tuple<Encoding, Precision>> {};

TEST_P(PlyRoundTrip, KeepsEverything) {
  const auto [encoding, precision] = GetParam();
  const PointCloud cloud = sample_cloud(precision);
  expect_same(with_wide_integers_as_double(with_spread_attributes(cloud)), round_trip("a.ply", cloud, encoding));
}

TEST_P(PlyRoundTrip, KeepsBareAndPlanarPoints) {
  const auto [encoding, precision] = GetParam();
  PointCloud cloud;
  cloud.precision = precision;
  cloud.dimension = 2;
  cloud.positions = {Vec3{0.5, 0.25, 0}, Vec3{-1, std::nan(""), 0}};
  expect_same(cloud, round_trip("a.ply", cloud, encoding));
}

TEST_P(PlyRoundTrip, SurvivesDamage) {
  const auto [encoding, precision] = GetParam();
  expect_survives_damage("a.ply", written("a.ply", sample_cloud(precision), encoding), encoding != Encoding::ascii);
}

INSTANTIATE_TEST_SUITE_P(All, PlyRoundTrip,
                         testing::Combine(testing::Values(Encoding::ascii, Encoding::binary,
                                                          Encoding::binary_big_endian),
                                          testing::Values(Precision::float32, Precision::float64)));

TEST(Ply, ReadsAnyOrderListsAndUnknownElements) {
  const PointCloud cloud = parse("a.ply",
                                 "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nobj_info nothing\r\n"
                                 "element camera 1\r\nproperty float view_x\r\nproperty list uint8 float32 knots\r\n"
                                 "element face 2\r\nproperty uchar flags\r\nproperty list uchar uint vertex_index\r\n"
                                 "element vertex 3\r\nproperty float64 z\r\nproperty list uchar int neighbours\r\n"
                                 "property int16 y\r\nproperty uint8 quality\r\nproperty float x\r\nend_header\r\n"
                                 "1.5 2 7 8\r\n"
                                 "9 3 0 1 2\r\n0 4 2 1 0 2\r\n"
                                 "3 0 2 7 1\r\n\r\n6 2 0 1 5 8.0 4\r\n-inf 1 2 +8 255 NaN\r\n");
  ASSERT_EQ(cloud.size(), 3u);
  EXPECT_EQ(cloud.positions[0], (Vec3{1, 2, 3}));
  EXPECT_EQ(cloud.positions[1], (Vec3{4, 5, 6}));
  EXPECT_TRUE(std::isnan(cloud.positions[2][0]));
  EXPECT_EQ(cloud.positions[2][1], 8);
  EXPECT_EQ(cloud.positions[2][2], -HUGE_VAL);
  EXPECT_EQ(cloud.precision, Precision::float64);
  EXPECT_EQ(cloud.faces.start, (std::vector<std::uint32_t>{0, 3, 7}));
  EXPECT_EQ(cloud.faces.index, (std::vector<std::uint32_t>{0, 1, 2, 2, 1, 0, 2}));
  ASSERT_EQ(cloud.attributes.size(), 1u);
  EXPECT_EQ(cloud.attributes[0].name, "quality");
  EXPECT_EQ(std::get<std::vector<std::uint8_t>>(cloud.attributes[0].values), (std::vector<std::uint8_t>{7, 8, 255}));
}

TEST(Ply, ReadsListsAmongBinaryVertices) {
  std::string bytes =
      "ply\nformat binary_big_endian 1.0\nelement vertex 2\nproperty list uchar short n\nproperty char x\n"
      "property char y\nproperty uchar z\nend_header\n";
  bytes += std::string("\x02\x00\x07\x00\x08\x01\xff\x03", 8) + std::string("\x00\x04\x05\xff", 4);
  const PointCloud cloud = parse("a.ply", bytes);
  ASSERT_EQ(cloud.size(), 2u);
  EXPECT_EQ(cloud.positions[0], (Vec3{1, -1, 3}));
  EXPECT_EQ(cloud.positions[1], (Vec3{4, 5, 255}));
}

TEST(Ply, ConvertsColours) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n";
  const PointCloud real = parse("a.ply", head +
                                             "property float diffuse_red\nproperty float diffuse_green\nproperty float "
                                             "diffuse_blue\nend_header\n0 0 0 0 0.5 1\n1 1 1 1 0 nan\n");
  EXPECT_EQ(real.colors, (std::vector<std::array<std::uint8_t, 4>>{{0, 128, 255, 255}, {255, 0, 0, 255}}));
  EXPECT_FALSE(real.has_alpha);
  const PointCloud wide =
      parse("a.ply", head +
                         "property ushort red\nproperty ushort green\nproperty ushort blue\n"
                         "property ushort alpha\nend_header\n0 0 0 65535 0 256 255\n1 1 1 0 0 0 0\n");
  EXPECT_EQ(wide.colors, (std::vector<std::array<std::uint8_t, 4>>{{255, 0, 1, 0}, {0, 0, 0, 0}}));
  EXPECT_TRUE(wide.has_alpha);
  // Out of any colour's range: kept as it is.
  const PointCloud odd =
      parse("a.ply",
            head + "property int red\nproperty int green\nproperty int blue\nend_header\n0 0 0 1 2 3\n1 1 1 -1 0 0\n");
  EXPECT_TRUE(odd.colors.empty());
  EXPECT_EQ(odd.attributes.size(), 3u);
}

TEST(Ply, ClaimsAnOrganisedSizeOnlyWhereEveryCellHasAVertex) {
  const std::string body =
      "property float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n1 1 1\n2 2 2\n3 3 3\n";
  const std::string head = "ply\nformat ascii 1.0\nobj_info num_cols 2\nobj_info num_rows ";
  EXPECT_TRUE(parse("a.ply", head + "2\nelement vertex 4\n" + body).organised());
  EXPECT_FALSE(parse("a.ply", head + "3\nelement vertex 4\n" + body).organised());
}

TEST(Ply, RenamesColumnsThatWouldCollide) {
  PointCloud cloud;
  cloud.positions = {Vec3{1, 2, 3}};
  cloud.attributes = {
      {"X", 1, std::vector<float>{4}}, {"two words", 1, std::vector<float>{5}}, {"", 1, std::vector<float>{6}}};
  const PointCloud read = round_trip("a.ply", cloud);
  EXPECT_EQ(read.positions, cloud.positions);
  ASSERT_EQ(read.attributes.size(), 3u);
  EXPECT_EQ(read.attributes[0].name, "X_2");
  EXPECT_EQ(read.attributes[1].name, "two_words");
  EXPECT_EQ(read.attributes[2].name, "attribute");
}

TEST(Ply, WritesFacesOfManyCorners) {
  PointCloud cloud;
  for (std::uint32_t i = 0; i < 300; ++i) {
    cloud.positions.push_back(Vec3{double(i), 0, 0});
    cloud.faces.index.push_back(i);
  }
  cloud.faces.start = {0, 300};
  for (const Encoding encoding : {Encoding::ascii, Encoding::binary}) {
    EXPECT_EQ(round_trip("a.ply", cloud, encoding).faces.index, cloud.faces.index);
  }
}

TEST(Ply, RefusesWithThePlaceAndTheReason) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n";
  const std::string end = "end_header\n";
  expect_refused("a.ply", "ply\n", "line 1: truncated: the header has no end_header");
  expect_refused("a.ply", "ply\nformat ascii 2.0\n", "line 2: PLY version '2.0'");
  expect_refused("a.ply", "ply\nformat middle_endian 1.0\n", "line 2: PLY format 'middle_endian'");
  expect_refused("a.ply", "ply\nelement vertex 1\nend_header\n", "line 3: the header has no line 'format'");
  expect_refused("a.ply", "ply\nformat ascii 1.0\nproperty float x\n", "line 3: a property before the first element");
  expect_refused("a.ply", "ply\nformat ascii 1.0\nend_header\n", "no element 'vertex'");
  expect_refused("a.ply", "ply\nformat ascii 1.0\nelement vertex -1\n", "line 3: '-1' is not a number");
  expect_refused("a.ply", head + "property half w\n", "line 7: 'half' is not a number type");
  expect_refused("a.ply", head + "property float x\n", "line 7: property 'x' is declared twice");
  expect_refused("a.ply", head + "property list float int n\n", "line 7: the length of a list");
  expect_refused("a.ply", head + "wrong\n", "line 7: 'wrong' is not a line");
  expect_refused("a.ply", head + end + "1 2 3\n", "line 8: truncated: 2 lines of element 'vertex' expected, 1 found");
  expect_refused("a.ply", head + end + "1 2 3\n1 2\n", "line 9: the value of 'z' is missing");
  expect_refused("a.ply", head + end + "1 2 3 4\n", "line 8: more values");
  expect_refused("a.ply", head + end + "1 2 3\n1 2 z\n", "line 9: 'z' is not a value of 'z'");
  expect_refused("a.ply", "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n", "no points");
  expect_refused("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
                 "no coordinate y");
  expect_refused("a.ply",
                 head + "element face 1\nproperty list uchar int vertex_indices\n" + end + "1 2 3\n4 5 6\n3 0 1 2\n",
                 "line 12: face 0 names vertex 2, but there are 2");
  expect_refused("a.ply",
                 head + "element face 1\nproperty list char int vertex_indices\n" + end + "1 2 3\n4 5 6\n-3 0 1 2\n",
                 "line 12: list 'vertex_indices' has the length -3");
}

TEST(Ply, RefusesHeadersThatPromiseTooMuch) {
  const std::string vertices = "element vertex 4000000000\nproperty double x\nproperty double y\nproperty double z\n";
  const std::string binary = "ply\nformat binary_little_endian 1.0\n";
  expect_refused(
      "a.ply", binary + vertices + "end_header\n" + std::string(100, 'x'),
      "4000000000 records of element 'vertex' of at least 24 bytes each are promised, but only 100 bytes follow");
  expect_refused("a.ply", "ply\nformat ascii 1.0\n" + vertices + "end_header\n1 2 3\n", "4000000000 lines");
  expect_refused("a.ply", "ply\nformat ascii 1.0\nelement vertex 99999999999999999999\n", "line 3");
  const std::string one = "element vertex 1\nproperty char x\nproperty char y\n";
  expect_refused("a.ply",
                 binary + one + "element e 1\nproperty list uint double n\nend_header\n\1\1\xff\xff\xff\xff more",
                 "4294967295 list items of at least 8 bytes");
  // Elements without properties take no room, however many there are.
  EXPECT_EQ(parse("a.ply", binary + "element face 9999999999999\n" + one + "end_header\n\1\2").size(), 1u);
}

}  // namespace
}  // namespace dovetail::test
