// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/random.h"
#include "dovetail/error.h"
#include "dovetail/reference.h"
#include "reference/surface.h"
#include "support/messages.h"

namespace dovetail::test {
namespace {

Reference lines_of(std::vector<Vec3> vertices, std::initializer_list<std::initializer_list<std::uint32_t>> lines) {
  Reference reference;
  reference.points.positions = std::move(vertices);
  reference.points.dimension = 2;
  for (const auto& line : lines) reference.lines.add(line);
  return reference;
}

Reference mesh_of(std::vector<Vec3> vertices, std::initializer_list<std::initializer_list<std::uint32_t>> faces) {
  Reference reference;
  reference.points.positions = std::move(vertices);
  for (const auto& face : faces) reference.points.faces.add(face);
  return reference;
}

void expect_covered(const Reference& mesh, double spacing, std::uint64_t seed) {
  const std::vector<Vec3> samples = sample_reference(mesh, spacing).positions;
  double worst = 0;
  for (const Vec3& p : random_surface_points(mesh.points, 400, seed)) {
    worst = std::max(worst, std::sqrt(squared_distance_to_points(p, samples)));
  }
  EXPECT_LE(worst, spacing) << seed;
  for (const Vec3& p : samples) {
    ASSERT_LE(distance_to_mesh(p, mesh.points), 1e-12 * (1 + norm(p))) << seed;
  }
}

TEST(SampleReference, DividesLinesEvenly) {
  const Reference bend = lines_of({{0, 0, 0}, {10, 0, 0}, {10, 2.5, 0}}, {{0, 1, 2}});
  EXPECT_EQ(measure_reference(bend).length, 12.5);
  EXPECT_EQ(measure_reference(bend).area, 0);
  const PointCloud cloud = sample_reference(bend, 1);
  EXPECT_EQ(cloud.dimension, 2);
  ASSERT_EQ(cloud.size(), 3u + 9 + 2);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(cloud.positions[i], bend.points.positions[i]);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(cloud.positions[3 + i][1], 0);
    EXPECT_NEAR(cloud.positions[3 + i][0], static_cast<double>(i + 1), 1e-14);
  }
  EXPECT_NEAR(cloud.positions[12][1], 2.5 / 3, 1e-15);
  EXPECT_EQ(sample_reference(bend, 20).size(), 3u) << "vertices are kept however wide the spacing";
  EXPECT_EQ(sample_reference(bend, 1).positions, cloud.positions);
}

TEST(SampleReference, TakesSharedEdgesOnce) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {9, 9, 0}};
  const Reference twice = lines_of(corners, {{0, 1, 2, 0}, {1, 0}, {2, 1}});
  const Reference once = lines_of(corners, {{0, 1, 2, 0}});
  EXPECT_EQ(sample_reference(twice, 0.7).positions, sample_reference(once, 0.7).positions);
  EXPECT_EQ(measure_reference(twice).length, measure_reference(once).length + 8);
  const Reference points = lines_of(corners, {});
  EXPECT_EQ(sample_reference(points, 0.1).positions, corners) << "points stay points";
}

TEST(SampleReference, CoversTriangles) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStream random(11, seed);
    std::vector<Vec3> corners(3);
    for (Vec3& p : corners) p = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (seed % 3 == 0) corners[2] = corners[0] + random.uniform() * (corners[1] - corners[0]) + 0.01 * corners[2];
    expect_covered(mesh_of(corners, {{0, 1, 2}}), std::pow(10.0, random.uniform(-1.7, 0.3)), seed);
  }
}

TEST(SampleReference, CoversPolygonsAsFans) {
  const Reference square = mesh_of({{0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}}, {{0, 1, 2, 3}});
  EXPECT_NEAR(measure_reference(square).area, 4, 1e-15);
  EXPECT_EQ(measure_reference(square).length, 0);
  expect_covered(square, 0.13, 1);
  // Rows √3/2 of the spacing apart and a point each spacing: 1.155 points a square of the spacing; the edges add to it.
  const auto count = static_cast<double>(sample_reference(square, 0.02).size());
  EXPECT_NEAR(count, 1.155 * 4 / (0.02 * 0.02), 0.06 * count);
}

TEST(SampleReference, SpendsLittleOnSlivers) {
  // 100 long and a thousandth wide: its edges, and nothing inside.
  const Reference sliver = mesh_of({{0, 0, 0}, {100, 0, 0}, {50, 0.001, 0}}, {{0, 1, 2}});
  EXPECT_EQ(sample_reference(sliver, 1).size(), 3u + 99 + 2 * 50);
  expect_covered(sliver, 1, 3);
  const Reference flat = mesh_of({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {2, 3, 2}, {0, 0, 0}});
  EXPECT_EQ(sample_reference(flat, 0.5).size(), 4u + 1 + 1 + 3);
}

TEST(SampleReference, LeavesOutWhatIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  Reference mesh =
      mesh_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {nan, nan, nan}, {0, infinity, 0}}, {{0, 1, 2}, {1, 2, 3}});
  mesh.lines.add({0, 3, 4});
  const PointCloud cloud = sample_reference(mesh, 2);
  EXPECT_EQ(cloud.positions, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(measure_reference(mesh).area, 0.5);
  EXPECT_EQ(measure_reference(mesh).length, 0);
}

TEST(SampleReference, RefusesWhatCannotBeMeant) {
  const Reference square = mesh_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  for (const double spacing : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { sample_reference(square, spacing); }), "spacing: "));
  }
  // Refused before any memory is taken for so many points, and at once.
  for (const double spacing : {1e-5, 1e-12, 1e-300, std::numeric_limits<double>::denorm_min()}) {
    EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { sample_reference(square, spacing); }), "2^31 points"));
  }
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] {
                         sample_reference(lines_of({{0, 0, 0}, {1e308, 1e308, 0}}, {{0, 1}}), 1);
                       }),
                       "2^31 points"));
  Reference wrong = square;
  wrong.points.faces.add({0, 1, 3});
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { sample_reference(wrong, 1); }), "faces name vertex 3"));
  wrong = square;
  wrong.lines.add({7, 0});
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { measure_reference(wrong); }), "lines name vertex 7"));
  wrong = square;
  wrong.lines.start = {0, 5};
  EXPECT_TRUE(mentions(message_of<InvalidArgument>([&] { measure_reference(wrong); }), "starts of its lines"));
}

}  // namespace
}  // namespace dovetail::test
