// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "dovetail/error.h"
#include "io/endian.h"
#include "io_support.h"

namespace dovetail::test {
namespace {

/// A square pyramid: four triangles and a square, five points.
PointCloud pyramid(Precision precision) {
  PointCloud cloud;
  cloud.precision = precision;
  const double third = precision == Precision::float32 ? static_cast<double>(1.0f / 3) : 1.0 / 3;
  cloud.positions = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0}, Vec3{third, third, 2}};
  cloud.faces.add({0, 1, 4});
  cloud.faces.add({1, 2, 4});
  cloud.faces.add({2, 3, 4});
  cloud.faces.add({3, 0, 4});
  cloud.faces.add({0, 3, 2, 1});
  return cloud;
}

void expect_pyramid(const PointCloud& read, Precision precision) {
  ASSERT_EQ(read.size(), 5u);
  EXPECT_EQ(read.faces.size(), 6u);  // the square has become two
  // Numbered in the order the corners come: 0, 1, 4, then 2, then 3.
  const PointCloud made = pyramid(precision);
  const std::size_t order[] = {0, 1, 4, 2, 3};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(read.positions[i].cast<float>(), made.positions[order[i]].cast<float>());
    if (precision == Precision::float64 && read.precision == Precision::float64) {
      EXPECT_EQ(read.positions[i], made.positions[order[i]]);
    }
  }
  EXPECT_EQ(read.faces.index, (std::vector<std::uint32_t>{0, 1, 2, 1, 3, 2, 3, 4, 2, 4, 0, 2, 0, 4, 3, 0, 3, 1}));
}

TEST(Stl, RoundTripsAMesh) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    const PointCloud binary = round_trip("a.stl", pyramid(precision), Encoding::binary);
    expect_pyramid(binary, precision);
    EXPECT_EQ(binary.precision, Precision::float32);
    const PointCloud text = round_trip("a.stl", pyramid(precision), Encoding::ascii);
    expect_pyramid(text, precision);
    EXPECT_EQ(text.precision, Precision::float64);
  }
}

TEST(Stl, WritesFacetNormals) {
  const std::string text = written("a.stl", pyramid(Precision::float64), Encoding::ascii);
  // The base is wound downwards; the first side faces the front: (1,0,0) × (1/3,1/3,2) = (0,-2,1/3), made a unit
  // vector.
  EXPECT_NE(text.find("facet normal 0 0 -1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("facet normal 0 -0.9863"), std::string::npos) << text;
  const std::string binary = written("a.stl", pyramid(Precision::float64), Encoding::binary);
  ASSERT_EQ(binary.size(), 84u + 6 * 50);
  EXPECT_FLOAT_EQ(io::load<float>(&binary[84 + 4]), -2 / std::sqrt(4 + 1.0f / 9));
  EXPECT_FALSE(binary.starts_with("solid"));
}

TEST(Stl, SurvivesDamage) {
  expect_survives_damage("a.stl", written("a.stl", pyramid(Precision::float32), Encoding::binary), true);
  expect_survives_damage("a.stl", written("a.stl", pyramid(Precision::float32), Encoding::ascii), true);
}

TEST(Stl, TellsBinaryFilesThatBeginWithSolid) {
  std::string binary = written("a.stl", pyramid(Precision::float32), Encoding::binary);
  binary.replace(0, 24, "solid facet normal 1 0 0");
  expect_pyramid(parse("a.stl", binary), Precision::float32);
  expect_pyramid(parse("no_ending", binary), Precision::float32);
}

TEST(Stl, ReadsAwkwardText) {
  const PointCloud cloud =
      parse("a.stl",
            "\r\n SOLID two words\r\nFacet Normal nan 0 0\r\nouter loop\r\nvertex 0 0 0\r\n\tvertex 1e0 -0 0\r\n"
            "vertex 0 +1 0\r\nendloop\r\nendfacet\r\nendsolid\r\nsolid next\nfacet normal 0 0 1\nouter loop\n"
            "vertex -0 0 0\nvertex nan 0 0\nvertex nan 0 0\nendloop\nendfacet\nendsolid next");
  EXPECT_EQ(cloud.faces.size(), 2u);
  EXPECT_EQ(cloud.size(), 5u);  // 0 and -0 are one point; a NaN is not equal to another
  EXPECT_EQ(cloud.faces.index[3], 0u);
}

TEST(Stl, RefusesWithThePlaceAndTheReason) {
  const std::string facet = "solid\nfacet normal 0 0 1\nouter loop\n";
  expect_refused("a.stl", facet + "vertex 1 2\n", "line 4: a number is missing");
  expect_refused("a.stl", facet + "vertex 1 2 3\nendloop\n", "line 5: a facet with 1 corners");
  expect_refused("a.stl", facet + "vertx 1 2 3\n", "line 4: 'vertx'");
  expect_refused("a.stl", facet, "line 3: truncated");
  expect_refused("a.stl", "solid\nfacet normal 0 0 1\nvertex 0 0 0\n", "line 3: a vertex outside");
  expect_refused("a.stl", "solid empty\nendsolid empty\n", "no points");
  expect_refused("a.stl", "short", "byte 0: truncated: 80 bytes expected for the header, 5 found");
  std::string lying(84 + 50, '\1');
  expect_refused("a.stl", lying,
                 "byte 84: truncated: 16843009 triangles of at least 50 bytes each are promised, but only 50");
  expect_refused("a.stl", std::string(84, '\0'), "no points");
}

TEST(Stl, NeedsFaces) {
  const TemporaryFolder folder;
  PointCloud cloud = pyramid(Precision::float32);
  cloud.faces = Faces{};
  EXPECT_THROW(write_points(folder / "a.stl", cloud), InvalidArgument);
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace dovetail::test
