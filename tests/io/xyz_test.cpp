// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "io/number.h"
#include "io_support.h"

namespace dovetail::test {
namespace {

class XyzRoundTrip : public testing::TestWithParam<std::tuple<std::string, Precision>> {};

TEST_P(XyzRoundTrip, KeepsAllButFacesAndSize) {
  const auto [name, precision] = GetParam();
  const PointCloud cloud = without_size(without_faces(sample_cloud(precision)));
  expect_same_text(with_spread_attributes(cloud), round_trip(name, cloud));
}

TEST_P(XyzRoundTrip, KeepsPlanarPoints) {
  const auto [name, precision] = GetParam();
  PointCloud cloud;
  cloud.precision = precision;
  cloud.dimension = 2;
  cloud.positions = {Vec3{0.5, 0.25, 0}, Vec3{-1, 1e30, 0}};
  expect_same_text(cloud, round_trip(name, cloud));
  cloud.attributes = {{"intensity", 1, std::vector<float>{0.5f, 1.5f}}};
  expect_same_text(cloud, round_trip(name, cloud));
}

TEST_P(XyzRoundTrip, SurvivesDamage) {
  const auto [name, precision] = GetParam();
  expect_survives_damage(name, written(name, sample_cloud(precision)), false);
}

INSTANTIATE_TEST_SUITE_P(All, XyzRoundTrip,
                         testing::Combine(testing::Values("a.xyz", "a.txt", "a.csv"),
                                          testing::Values(Precision::float32, Precision::float64)));

TEST(Xyz, WritesTheShortestDecimals) {
  PointCloud cloud;
  cloud.positions = {Vec3{0.1, 1e22, -2}};
  EXPECT_EQ(written("a.xyz", cloud), "0.1 1e+22 -2\n");
  EXPECT_EQ(written("a.csv", cloud), "x,y,z\n0.1,1e+22,-2\n");
  cloud.precision = Precision::float32;
  cloud.positions = {Vec3{static_cast<double>(0.1f), 0, 0}};
  EXPECT_EQ(written("a.txt", cloud), "0.1 0 0\n");
}

TEST(Xyz, ReadsEverySeparator) {
  for (const std::string text : {"1 2 3\n4 5 6\n", "1\t2\t3\r\n4\t5\t6", "1,2,3\n4 , 5 , 6\n", " 1;2 ;3;\n4;5;6;\n\n",
                                 "# a comment\n1 2 3\n// another\n\n4 5 6\n",
                                 "\xef\xbb\xbf"
                                 "1 2 3\n4 5 6\n"}) {
    const PointCloud cloud = parse("a.txt", text);
    ASSERT_EQ(cloud.size(), 2u) << text;
    EXPECT_EQ(cloud.positions[0], (Vec3{1, 2, 3})) << text;
    EXPECT_EQ(cloud.positions[1], (Vec3{4, 5, 6})) << text;
    EXPECT_EQ(cloud.dimension, 3);
  }
  EXPECT_EQ(parse("a.csv", "1,2\n3,4\n").dimension, 2);
  EXPECT_TRUE(std::isnan(parse("a.csv", "1,,3\n4,5,6\n").positions[0][1]));  // a missing value is no value
}

TEST(Xyz, TellsNormalsAndColoursByTheirValues) {
  const PointCloud normals = parse("a.xyz", "0 0 0 0.6 0.8 0\n1 1 1 0 0 -1\n2 2 2 0 0 0\n");
  EXPECT_EQ(normals.normals.size(), 3u);
  EXPECT_TRUE(normals.attributes.empty());
  const PointCloud colors = parse("a.xyz", "0 0 0 10 20 255\n1 1 1 0 0 0\n");
  EXPECT_EQ(colors.colors.at(0), (std::array<std::uint8_t, 4>{10, 20, 255, 255}));
  EXPECT_TRUE(colors.normals.empty());
  const PointCloud neither = parse("a.xyz", "0 0 0 10 20 256\n1 1 1 0 0.5 0\n");
  EXPECT_TRUE(neither.colors.empty() && neither.normals.empty());
  ASSERT_EQ(neither.attributes.size(), 3u);
  EXPECT_EQ(neither.attributes[0].name, "column_4");
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(neither.attributes[0].values), (std::vector<std::int32_t>{10, 0}));
  EXPECT_EQ(std::get<std::vector<double>>(neither.attributes[1].values), (std::vector<double>{20, 0.5}));
  const PointCloud all = parse("a.xyz", "0 0 0 7.5 1 2 3 0 1 0\n0 0 1 8.5 4 5 6 1 0 0\n");
  EXPECT_EQ(all.attributes.size(), 1u);
  EXPECT_EQ(all.colors.at(1), (std::array<std::uint8_t, 4>{4, 5, 6, 255}));
  EXPECT_EQ(all.normals.at(1), (Vec3f{1, 0, 0}));
}

TEST(Xyz, FollowsAHeader) {
  for (const std::string text :
       {"\"id\",X,\"Y\",z,R,g,b\n7,1,2,3,0,128,255\n", "# id x y z r g b\n7 1 2 3 0 128 255\n",
        "//id X Y Z R G B\n7 1 2 3 0 128 255\n", "id;x;y;z;red;green;blue\n7;1;2;3;0;128;255\n"}) {
    const PointCloud cloud = parse("a.csv", text);
    ASSERT_EQ(cloud.size(), 1u) << text;
    EXPECT_EQ(cloud.positions[0], (Vec3{1, 2, 3})) << text;
    EXPECT_EQ(cloud.colors.at(0), (std::array<std::uint8_t, 4>{0, 128, 255, 255})) << text;
    ASSERT_EQ(cloud.attributes.size(), 1u) << text;
    EXPECT_EQ(cloud.attributes[0].name, "id");
  }
  EXPECT_EQ(parse("a.csv", "lon,lat\n7.5,43.7\n").positions.at(0), (Vec3{7.5, 43.7, 0}));
  EXPECT_EQ(parse("a.csv", "x,y,intensity\n1,2,0.5\n").dimension, 2);
  EXPECT_EQ(parse("a.pts", "2\n1 2 3\n4 5 6\n").size(), 2u);
}

TEST(Xyz, FindsCoordinatesByTheirNames) {
  for (const std::string text :
       {"lon,lat\n7.5,43.7\n", "lat,lon\n43.7,7.5\n", "id,Latitude,Longitude\n9,43.7,7.5\n",
        "northing;easting\n43.7;7.5\n", "# lat lon\n43.7 7.5\n", "name,y,x\nhome,43.7,7.5\n",
        "\"lat\",\"who\",\"lng\"\n\"43.7\",\"a, b; c\",\"7.5\"\n", "lon,lat,x,y\n1,2,7.5,43.7\n"}) {
    const PointCloud cloud = parse("a.csv", text);
    ASSERT_EQ(cloud.size(), 1u) << text;
    EXPECT_EQ(cloud.positions[0], (Vec3{7.5, 43.7, 0})) << text;
    EXPECT_EQ(cloud.dimension, 2) << text;
  }
  for (const std::string text : {"height,lat,lon\n5,43.7,7.5\n", "easting,northing,id,z\n7.5,43.7,1,5\n"}) {
    const PointCloud cloud = parse("a.csv", text);
    EXPECT_EQ(cloud.positions[0], (Vec3{7.5, 43.7, 5})) << text;
    EXPECT_EQ(cloud.dimension, 3) << text;
  }
  EXPECT_EQ(parse("a.csv", "u,v\n1,2\n").positions.at(0), (Vec3{1, 2, 0})) << "unknown names go by their place";
  EXPECT_EQ(parse("a.csv", "x,z\n1,2\n").positions.at(0), (Vec3{1, 2, 0})) << "a profile";
  EXPECT_EQ(parse("a.csv", "lon,lat,x\n7.5,43.7,1\n").positions.at(0), (Vec3{7.5, 43.7, 0}));
  EXPECT_EQ(parse("a.xyz", "# north east of here\n1 2 3 4\n").positions.at(0), (Vec3{1, 2, 3})) << "prose";
  const PointCloud last = parse("a.csv", "x,y,name\n1,2,\n3,4,here\n5,6,\n");
  EXPECT_EQ(last.size(), 3u) << "the last value of a row may be missing";
  const PointCloud words = parse("a.csv", "x,y,name,n\n1,2,,5\n3,4,here,6\n");
  ASSERT_EQ(words.attributes.size(), 1u) << "a column of words is passed over";
  EXPECT_EQ(words.attributes[0].name, "n");
}

TEST(Xyz, KeepsWholeNumbersWhole) {
  const PointCloud cloud = parse("a.csv", "x,y,z,stamp,big\n1,2,3,1700000000123456789,1700000000123\n");
  // 19 digits are more than a double holds; as a real number they are at least honest about it.
  EXPECT_TRUE(std::holds_alternative<std::vector<double>>(cloud.attributes.at(0).values));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(cloud.attributes.at(1).values).at(0), 1700000000123);
}

TEST(Xyz, RefusesWithThePlaceAndTheReason) {
  expect_refused("a.xyz", "1 2 3\n4 5\n", "line 2: 2 columns, but line 1 has 3");
  expect_refused("a.xyz", "1 2 3\n4 5 six\n", "line 2: 'six' is not a number");
  expect_refused("a.xyz", "1 two 3\n", "line 1: 'two' is not a number");
  expect_refused("a.csv", "1,5;2,5\n", "line 1: '1,5' is not a number");
  expect_refused("a.xyz", "5\n", "no points");
  expect_refused("a.xyz", "5\n6\n", "line 2: a point has at least two coordinates");
  expect_refused("a.xyz", "# nothing here\n", "no points");
  expect_refused("a.csv", "a,b,c,d\n1,2,3,4\n", "line 1: the header names no columns x and y");
  expect_refused("a.csv", "id,lat\n1,2\n", "line 1: the header names 'lat', but not the other coordinate");
  expect_refused("a.csv", "x,y,n\n1,2,3\n1,2,three\n", "line 3: 'three' is not a number");
  expect_refused("a.csv", "x,y,n\n1,two,3\n", "line 2: 'two' is not a number");
  expect_refused("a.csv", "x,y,x\n1,2,3\n", "line 1: two columns are named 'x'");
  expect_refused("a.csv", "x,y,z\n1,2\n", "line 2: 2 columns, but the header names 3");
  expect_refused("a.pts", "3\n1 2 3\n4 5 6\n", "promises 3 points, 2 found");
  std::string names = "x,y", row = "1,2";
  for (int i = 0; i < 20'000; ++i) names += ",c" + std::to_string(i), row += ",3";  // comparing all names takes long
  expect_refused("a.csv", names + "\n" + row + "\n", "line 1: 20002 columns are too many for points");
  expect_refused("a.csv", "# " + names + "\n" + row + "\n", "line 2: 20002 columns are too many for points");
  expect_refused("a.csv", row + "\n", "line 1: 20002 columns are too many for points");
}

TEST(Number, ParsesWhateverTheSpelling) {
  const auto real = [](std::string_view text) {
    double value = -12345;
    return io::parse_number(text, value) ? value : -12345;
  };
  EXPECT_EQ(real("+1.5"), 1.5);
  EXPECT_EQ(real("-.5"), -0.5);
  EXPECT_EQ(real("1E3"), 1000);
  EXPECT_EQ(real("inf"), HUGE_VAL);
  EXPECT_EQ(real("-Infinity"), -HUGE_VAL);
  EXPECT_EQ(real("-1.#INF"), -HUGE_VAL);
  EXPECT_EQ(real("1e400"), HUGE_VAL);
  EXPECT_EQ(real("-1e400"), -HUGE_VAL);
  EXPECT_EQ(real("1e-400"), 0);
  EXPECT_TRUE(std::signbit(real("-1e-400")));
  for (const char* text : {"nan", "-nan", "NaN", "nan(ind)", "1.#QNAN", "-1.#IND", "1.#SNAN"})
    EXPECT_TRUE(std::isnan(real(text))) << text;
  for (const char* text : {"", "+", "-", "1,5", "1.5x", "+-1", "--1", "0x10", "1 2", "e5", "1.#X"})
    EXPECT_EQ(real(text), -12345) << text;
}

TEST(Number, KeepsIntegersWithinTheirType) {
  std::uint8_t byte = 0;
  EXPECT_TRUE(io::parse_number("255", byte) && byte == 255);
  EXPECT_TRUE(io::parse_number("7.0", byte) && byte == 7);
  for (const char* text : {"256", "-1", "7.5", "1e3", "nan", ""}) EXPECT_FALSE(io::parse_number(text, byte)) << text;
  std::int64_t wide = 0;
  EXPECT_TRUE(io::parse_number("-9223372036854775808", wide) && wide == std::numeric_limits<std::int64_t>::min());
  EXPECT_FALSE(io::parse_number("9223372036854775808", wide));
  std::uint64_t unsigned_wide = 0;
  EXPECT_TRUE(io::parse_number("18446744073709551615", unsigned_wide) && unsigned_wide == ~std::uint64_t{0});
  EXPECT_FALSE(io::parse_number("18446744073709551616", unsigned_wide));
}

}  // namespace
}  // namespace dovetail::test
