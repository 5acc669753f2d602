// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dovetail/error.h"
#include "dovetail/reference.h"
#include "reference/surface.h"
#include "support/test_data.h"

namespace dovetail::test {
namespace {

struct Roads {
  const char* file;
  std::size_t lines, corners, vertices;
  double length;  ///< on the ellipsoid, by the radii of curvature at each segment's middle
  GeoFrame middle;
};

// Counted and measured with a few lines of Python.
constexpr Roads all_roads[] = {
    {"monaco.geojson", 509, 3730, 3068, 60732.432, {7.4218, 43.7369}},
    {"west_oakland.geojson", 23, 177, 147, 7751.767, {-122.2996, 37.8108}},
};

TEST(Roads, AreReadWhole) {
  DOVETAIL_NEEDS_DATA();
  for (const Roads& expected : all_roads) {
    SCOPED_TRACE(expected.file);
    const Reference roads = read_reference(data_folder() / "roads" / expected.file);
    EXPECT_EQ(roads.lines.size(), expected.lines);
    EXPECT_EQ(roads.lines.index.size(), expected.corners);
    EXPECT_EQ(roads.points.size(), expected.vertices);
    EXPECT_EQ(roads.points.dimension, 2);
    ASSERT_TRUE(roads.frame);
    EXPECT_NEAR(roads.frame->longitude, expected.middle.longitude, 1.01e-4);
    EXPECT_NEAR(roads.frame->latitude, expected.middle.latitude, 1.01e-4);
    // Two kilometres beside the meridian lengths grow by 5e-8; the table has eight digits.
    EXPECT_NEAR(measure_reference(roads).length, expected.length, 1e-7 * expected.length);
  }
}

TEST(Roads, AreSampledAsDenselyAsAsked) {
  DOVETAIL_NEEDS_DATA();
  const Reference roads = read_reference(data_folder() / "roads" / "monaco.geojson");
  const std::vector<Vec3> samples = sample_reference(roads, 5).positions;
  const double length = measure_reference(roads).length;
  EXPECT_GT(static_cast<double>(samples.size()), length / 5 * 0.99);  // a few segments are there twice
  EXPECT_LT(static_cast<double>(samples.size()), length / 5 + static_cast<double>(roads.points.size()));
  const auto corner = [&](std::size_t i) { return roads.points.positions[roads.lines.index[i]]; };
  for (std::size_t line = 0; line < roads.lines.size(); line += 7) {
    for (std::size_t i = roads.lines.start[line] + 1; i < roads.lines.start[line + 1]; ++i) {
      for (const double t : {0.0, 0.21, 0.5, 0.77}) {
        const Vec3 p = corner(i - 1) + t * (corner(i) - corner(i - 1));
        ASSERT_LE(squared_distance_to_points(p, samples), 2.5 * 2.5 * (1 + 1e-12));
      }
    }
  }
}

TEST(Roads, OfOneTownInAnothersFrameAreRefusedOrTheSame) {
  DOVETAIL_NEEDS_DATA();
  const Reference near_by = read_reference(data_folder() / "roads" / "monaco.geojson");
  ReferenceOptions options;
  options.frame = GeoFrame{7.4, 43.7};
  const Reference moved = read_reference(data_folder() / "roads" / "monaco.geojson", options);
  ASSERT_EQ(moved.points.size(), near_by.points.size());
  for (std::size_t i = 0; i < moved.points.size(); ++i) {
    const Vec3 &p = near_by.points.positions[i], &q = moved.points.positions[i];
    const Vec2 a = unproject(*near_by.frame, p[0], p[1]), b = unproject(*moved.frame, q[0], q[1]);
    ASSERT_LE(norm(a - b), 1e-12);  // a tenth of a micrometre, in degrees
  }
  EXPECT_THROW(read_reference(data_folder() / "roads" / "west_oakland.geojson", options), FileError);
}

}  // namespace
}  // namespace dovetail::test
