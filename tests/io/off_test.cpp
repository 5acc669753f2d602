// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "io_support.h"

namespace dovetail::test {
namespace {

class OffRoundTrip : public testing::TestWithParam<Precision> {};

TEST_P(OffRoundTrip, KeepsNormalsColoursAndFaces) {
  PointCloud cloud = without_size(without_attributes(sample_cloud(GetParam())));
  expect_same_text(cloud, round_trip("a.off", cloud));  // CNOFF
  expect_same_text(without_alpha(cloud), round_trip("a.off", without_alpha(cloud)));
  cloud.normals.clear();
  expect_same_text(cloud, round_trip("a.off", cloud));  // COFF
  cloud.colors.assign(cloud.size(), {1, 0, 1, 254});    // whole numbers that are not 0..1
  expect_same_text(cloud, round_trip("a.off", cloud));
  cloud.colors.clear();
  cloud.has_alpha = false;
  expect_same_text(cloud, round_trip("a.off", cloud));  // OFF
}

TEST_P(OffRoundTrip, SurvivesDamage) {
  expect_survives_damage("a.off", written("a.off", sample_cloud(GetParam())), false);
}

INSTANTIATE_TEST_SUITE_P(All, OffRoundTrip, testing::Values(Precision::float32, Precision::float64));

TEST(Off, ReadsEveryHead) {
  const std::string body = "0 0 0 # origin\n1 0 0\n\n0 1 0\n3 0 1 2 255 0 0\n";
  for (const std::string head :
       {"OFF\n3 1 0\n", "OFF 3 1 3\n", "# comment\nOFF # comment\n# comment\n3 1\n", "3 1 0\n"}) {
    const PointCloud cloud = parse("a.off", head + body);
    EXPECT_EQ(cloud.size(), 3u) << head;
    EXPECT_EQ(cloud.faces.index, (std::vector<std::uint32_t>{0, 1, 2})) << head;
  }
  EXPECT_EQ(parse("a.off", "NOFF\n1 0 0\n1 2 3 0 0 1\n").normals.at(0), (Vec3f{0, 0, 1}));
  EXPECT_EQ(parse("a.off", "COFF\n1 0 0\n1 2 3 0 0.5 1\n").colors.at(0),
            (std::array<std::uint8_t, 4>{0, 128, 255, 255}));
  EXPECT_EQ(parse("a.off", "COFF\n1 0 0\n1 2 3 0 1 2 3\n").colors.at(0), (std::array<std::uint8_t, 4>{0, 1, 2, 3}));
  EXPECT_EQ(parse("a.off", "STCOFF\n1 0 0\n1 2 3 7 8 9 0.5 0.25\n").attributes.size(), 2u);
}

TEST(Off, RefusesWithThePlaceAndTheReason) {
  expect_refused("a.off", "OFF BINARY\n", "line 1: binary OFF");
  expect_refused("a.off", "4OFF\n1 0 0\n", "line 1: '4OFF'");
  expect_refused("a.off", "OFF\n", "truncated: 1 line with the counts expected");
  expect_refused("a.off", "OFF\n2 x 0\n", "line 2: 'x' is not a number");
  expect_refused("a.off", "OFF\n0 0 0\n", "no points");
  expect_refused("a.off", "OFF\n2 0 0\n0 0 0\n", "truncated: 2 vertices expected, 1 found");
  expect_refused("a.off", "OFF\n1 0 0\n0 0 0 1\n", "line 3: a vertex with 4 numbers, expected 3");
  expect_refused("a.off", "OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "line 4: face 0 names vertex 1, but there are 1");
  expect_refused("a.off", "OFF\n1 2 0\n0 0 0\n3 0 0 0\n", "truncated: 2 faces expected, 1 found");
  expect_refused("a.off", "OFF\n4000000000 4000000000 0\n0 0 0\n", "truncated: 4000000000 vertices expected, 1 found");
  expect_refused("a.off", "OFF\n1 1 0\n0 0 0\n4000000000 0\n", "line 4: a number is missing");
}

}  // namespace
}  // namespace dovetail::test
