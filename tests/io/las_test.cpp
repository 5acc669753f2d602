// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>

#include "dovetail/error.h"
#include "io/endian.h"
#include "io_support.h"

namespace dovetail::test {
namespace {

/// Points as a survey has them: far from the origin, millimetres, with what a scanner notes.
PointCloud survey() {
  PointCloud cloud;
  for (int i = 0; i < 50; ++i) {
    cloud.positions.push_back(Vec3{500000 + 0.001 * i, 4800000 + 12.345 * i, 300 - 0.25 * i});
    const auto level = static_cast<std::uint8_t>(5 * i);
    cloud.colors.push_back({level, static_cast<std::uint8_t>(i % 2), 255, 255});
  }
  const auto column = [&](const char* name, auto make) {
    std::vector<decltype(make(0))> values;
    for (int i = 0; i < 50; ++i) values.push_back(make(i));
    cloud.attributes.push_back({name, 1, std::move(values)});
  };
  // In the order of the file.
  column("intensity", [](int i) { return static_cast<std::uint16_t>(1000 * i); });
  column("return_number", [](int i) { return static_cast<std::uint8_t>(i % 16); });
  column("number_of_returns", [](int i) { return static_cast<std::uint8_t>(15 - i % 16); });
  column("classification_flags", [](int i) { return static_cast<std::uint8_t>(i % 16); });
  column("scanner_channel", [](int i) { return static_cast<std::uint8_t>(i % 4); });
  column("scan_direction", [](int i) { return static_cast<std::uint8_t>(i % 2); });
  column("edge_of_flight_line", [](int i) { return static_cast<std::uint8_t>(i / 2 % 2); });
  column("classification", [](int i) { return static_cast<std::uint8_t>(5 * i); });
  column("user_data", [](int i) { return static_cast<std::uint8_t>(i); });
  column("scan_angle", [](int i) { return static_cast<std::int16_t>(-30000 + 1000 * i); });
  column("point_source_id", [](int i) { return static_cast<std::uint16_t>(65535 - i); });
  column("gps_time", [](int i) { return 3e8 + 0.1 * i; });
  return cloud;
}

TEST(Las, RoundTripsASurvey) {
  PointCloud cloud = survey();
  PointCloud read = round_trip("a.las", cloud);
  ASSERT_EQ(read.size(), cloud.size());
  for (int axis = 0; axis < 3; ++axis) {
    double lowest = HUGE_VAL, highest = -HUGE_VAL;
    for (const Vec3& p : cloud.positions) {
      lowest = std::min(lowest, p[axis]);
      highest = std::max(highest, p[axis]);
    }
    // Half a step of the grid, at most 3e-10 of the extent, and a rounding of the coordinate itself.
    const double allowed = 3e-10 * (highest - lowest) + std::abs(highest) * 2.3e-16;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      EXPECT_NEAR(read.positions[i][axis], cloud.positions[i][axis], allowed) << "axis " << axis;
    }
  }
  read.positions = cloud.positions;
  expect_same(cloud, read);
  cloud.colors.clear();
  EXPECT_TRUE(round_trip("a.las", cloud).colors.empty());
}

TEST(Las, KeepsClosePointsApart) {
  PointCloud cloud;
  cloud.positions = {Vec3{1e6, 0, -1e-12}, Vec3{1e6, 1e9, 1e-12}, Vec3{1e6, 1, 0}};
  const PointCloud read = round_trip("a.las", cloud);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.positions[i][0], 1e6);  // no extent: exact
    EXPECT_NEAR(read.positions[i][1], cloud.positions[i][1], 3e-10 * 1e9);
    EXPECT_NEAR(read.positions[i][2], cloud.positions[i][2], 3e-10 * 2e-12);
  }
}

TEST(Las, CannotHoldInvalidPoints) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_points(folder / "a.las", sample_cloud(Precision::float64)), InvalidArgument);
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Las, SurvivesDamage) { expect_survives_damage("a.las", written("a.las", survey()), true); }

/// A LAS 1.2 file made byte by byte from the specification.
std::string las_1_2(unsigned format, std::size_t record, std::uint32_t points) {
  std::string file(227 + record * points, '\0');
  file.replace(0, 4, "LASF");
  const auto put = [&](std::size_t at, auto value) { io::store(&file[at], value); };
  put(24, std::uint8_t{1});
  put(25, std::uint8_t{2});
  put(94, std::uint16_t{227});
  put(96, std::uint32_t{227});
  put(104, static_cast<std::uint8_t>(format));
  put(105, static_cast<std::uint16_t>(record));
  put(107, points);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    put(131 + 8 * axis, 0.01);
    put(155 + 8 * axis, 100.0 * static_cast<double>(axis));
  }
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t at = 227 + i * record;
    put(at, static_cast<std::int32_t>(i));
    put(at + 4, static_cast<std::int32_t>(-10));
    put(at + 8, static_cast<std::int32_t>(250));
    put(at + 12, std::uint16_t{4660});
    put(at + 14, std::uint8_t{0b10010001});  // return 1 of 2, edge of the flight line
    put(at + 15, std::uint8_t{0b10100010});  // class 2, withheld and synthetic
    put(at + 16, std::int8_t{-12});
  }
  return file;
}

double attribute(const PointCloud& cloud, const std::string& name, std::size_t i) {
  for (const Attribute& a : cloud.attributes) {
    if (a.name == name) return std::visit([&](const auto& v) { return static_cast<double>(v.at(i)); }, a.values);
  }
  ADD_FAILURE() << "no attribute " << name;
  return 0;
}

TEST(Las, ReadsOlderVersions) {
  std::string file = las_1_2(3, 34 + 5, 2);  // five bytes of the writer's own in each record
  for (std::size_t i = 0; i < 2; ++i) {
    io::store(&file[227 + 39 * i + 20], 1234.5);
    io::store(&file[227 + 39 * i + 28], static_cast<std::uint16_t>(i == 0 ? 65535 : 256));
  }
  const PointCloud cloud = parse("a.las", file);
  ASSERT_EQ(cloud.size(), 2u);
  EXPECT_DOUBLE_EQ(cloud.positions[1][0], 0.01);
  EXPECT_DOUBLE_EQ(cloud.positions[1][1], 99.9);
  EXPECT_DOUBLE_EQ(cloud.positions[1][2], 202.5);
  EXPECT_EQ(attribute(cloud, "intensity", 1), 4660);
  EXPECT_EQ(attribute(cloud, "return_number", 1), 1);
  EXPECT_EQ(attribute(cloud, "number_of_returns", 1), 2);
  EXPECT_EQ(attribute(cloud, "scan_direction", 1), 0);
  EXPECT_EQ(attribute(cloud, "edge_of_flight_line", 1), 1);
  EXPECT_EQ(attribute(cloud, "classification", 1), 2);
  EXPECT_EQ(attribute(cloud, "classification_flags", 1), 5);
  EXPECT_EQ(attribute(cloud, "scan_angle_rank", 1), -12);
  EXPECT_EQ(attribute(cloud, "gps_time", 1), 1234.5);
  EXPECT_EQ(cloud.colors.at(0), (std::array<std::uint8_t, 4>{255, 0, 0, 255}));
  EXPECT_EQ(cloud.colors.at(1), (std::array<std::uint8_t, 4>{1, 0, 0, 255}));
  // The older formats' whole degrees survive as 0.006 of a degree.
  EXPECT_EQ(attribute(round_trip("b.las", cloud), "scan_angle", 1), -2000);
}

TEST(Las, TellsColoursOfEightBits) {
  std::string file = las_1_2(2, 26, 1);
  io::store(&file[227 + 20], std::uint16_t{200});
  EXPECT_EQ(parse("a.las", file).colors.at(0)[0], 200);
}

TEST(Las, ReadsEveryPointFormat) {
  const std::size_t sizes[] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};
  for (unsigned format = 0; format <= 10; ++format) {
    const PointCloud cloud = parse("a.las", las_1_2(format, sizes[format], 3));
    EXPECT_EQ(cloud.size(), 3u) << format;
    EXPECT_EQ(attribute(cloud, "intensity", 2), 4660) << format;
    EXPECT_EQ(!cloud.colors.empty(),
              format == 2 || format == 3 || format == 5 || format == 7 || format == 8 || format == 10);
    expect_refused("a.las", las_1_2(format, sizes[format] - 1, 3), "byte 104: records of");
  }
}

TEST(Las, RefusesWithThePlaceAndTheReason) {
  const std::string good = las_1_2(0, 20, 2);
  const auto with = [&](std::size_t at, auto value) {
    std::string file = good;
    io::store(&file[at], value);
    return file;
  };
  expect_refused("a.las", good.substr(0, 100), "byte 0: truncated: 227 bytes expected for the header, 100 found");
  expect_refused("a.las", good.substr(0, 250),
                 "byte 227: truncated: 2 points of at least 20 bytes each are promised, but only 23");
  expect_refused("a.las", with(24, std::uint8_t{2}), "byte 24: LAS version 2.2 is not known");
  expect_refused("a.las", with(104, std::uint8_t{128}), "byte 104: the points are compressed (LAZ)");
  expect_refused("a.las", with(104, std::uint8_t{11}), "byte 104: point format 11 is not known");
  expect_refused("a.las", with(107, std::uint32_t{0}), "no points");
  expect_refused("a.las", with(107, std::uint32_t{4000000000}), "4000000000 points of at least 20 bytes");
  expect_refused("a.las", with(96, std::uint32_t{4000000000}), "should begin at byte 4000000000");
  expect_refused("a.las", with(131, 0.0), "scale 0 and offset 0 of x");
  expect_refused("a.las", with(139, std::nan("")), "scale nan");
  expect_refused("a.las", with(94, std::uint16_t{10}), "byte 94: a header of 10 bytes");
}

}  // namespace
}  // namespace dovetail::test
