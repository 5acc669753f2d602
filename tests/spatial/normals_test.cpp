// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "spatial/normal_cases.h"
#include "spatial/threads.h"

namespace dovetail {
namespace {

test::Normals cpu_normals(const std::vector<Vec3f>& points, const NormalSettings& settings = {}, int threads = 0) {
  CpuBackend cpu(threads);
  return test::normals_on(cpu, KdTree{points}, settings);
}

TEST(Normals, CpuIsTheReferenceBitForBit) {
  for (const test::Shape& shape : test::shapes()) {
    for (const std::size_t size : {0, 1, 2, 31, 32, 33, 1000, 3001}) {
      for (const int dimension : {2, 3}) {
        SCOPED_TRACE(shape.name + " of " + std::to_string(size));
        const KdTree tree{test::make_points(shape, size), test::scrambled_indices(size)};
        const NormalSettings settings{.neighbours = 12, .dimension = dimension};
        ReferenceBackend reference;
        CpuBackend cpu(2);
        EXPECT_EQ(test::normals_on(reference, tree, settings), test::normals_on(cpu, tree, settings));
      }
    }
  }
}

TEST(Normals, AreTheSameOnAnyNumberOfThreads) {
  const auto points = test::make_points(test::shapes()[0], 20000);
  const auto run = [&](int threads) { return cpu_normals(points, {}, threads); };
  EXPECT_EQ(run(1), run(2));
  EXPECT_EQ(run(1), run(5));
}

TEST(Normals, OfATiltedPlane) {
  const Vec3 normal = Vec3{1, 2, -2} * (1 / 3.0);
  const Vec3 u = Vec3{2, 1, 2} * (1 / 3.0), v = cross(normal, u);
  std::vector<Vec3f> points;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const Vec3f c = test::uniform_point(60, i);
    points.push_back((double(c[0]) * u + double(c[1]) * v).cast<float>());
  }
  const test::Normals found = cpu_normals(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    // The points are 3e-8 off the plane by rounding, their neighbourhoods some 0.02 wide.
    EXPECT_LT(norm(cross(found[i], normal)), 2e-5);
    EXPECT_NEAR(norm(found[i]), 1, 1e-6);
    EXPECT_GT(found[i][1], 0);  // the first of the two largest components decides the sign
    EXPECT_LT(found.variation[i], 1e-9);
  }
}

TEST(Normals, OfASphereTowardsItsCenter) {
  for (const std::size_t count : {5000u, 20000u}) {
    const auto points = test::sphere_points(count, 0.5);
    const test::Normals found = cpu_normals(points, {.has_viewpoint = true, .viewpoint = {0, 0, 0}});
    // The radius of 16 neighbours, as an angle: their share of the sphere is pi r² = 16 * 4 pi / count. A neighbourhood
    // that is not symmetric leans towards its heavier side, by a small part of that.
    const double radius = 8 / std::sqrt(double(count));
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 inwards = -2.0 * points[i].cast<double>();
      EXPECT_GT(dot(found[i], inwards), 0);
      EXPECT_LT(norm(cross(found[i], inwards)), 0.15 * radius) << i;
    }
  }
}

TEST(Normals, OfACylinderAreRadial) {
  std::vector<Vec3f> points;
  for (int ring = 0; ring < 60; ++ring) {
    for (int step = 0; step < 200; ++step) {
      const double angle = 2 * std::numbers::pi * (step + 0.5 * (ring % 2)) / 200;
      points.push_back(Vec3{0.2 * std::cos(angle), 0.2 * std::sin(angle), 0.00628 * (ring - 30)}.cast<float>());
    }
  }
  const test::Normals found = cpu_normals(points);
  for (std::size_t i = 200 * 5; i < 200 * 55; ++i) {  // away from the rims
    const Vec3 radial = {5.0 * double(points[i][0]), 5.0 * double(points[i][1]), 0};
    EXPECT_LT(norm(cross(found[i], radial)), 5e-3) << i;
  }
}

TEST(Normals, OfACircleInThePlane) {
  std::vector<Vec3f> points;
  for (int step = 0; step < 1000; ++step) {
    const double angle = 2 * std::numbers::pi * step / 1000;
    points.push_back(Vec3{0.5 * std::cos(angle), 0.5 * std::sin(angle), 0}.cast<float>());
  }
  const test::Normals found =
      cpu_normals(points, {.neighbours = 5, .dimension = 2, .has_viewpoint = true, .viewpoint = {0, 0, 0}});
  for (std::size_t i = 0; i < points.size(); ++i) {
    // Five consecutive points lie symmetric about the middle one: only rounding (3e-8 over 6e-3) tilts them.
    EXPECT_LT(norm(found[i] + 2.0 * points[i].cast<double>()), 2e-5);
    EXPECT_EQ(found.nz[i], 0);
  }
}

TEST(Normals, OfAxisParallelLinesInThePlane) {
  std::vector<Vec3f> along_x, along_y;
  for (int i = 0; i < 50; ++i)
    along_x.push_back({0.01f * float(i), 0.25f, 0}), along_y.push_back({-0.5f, 0.01f * float(i), 0});
  const NormalSettings flat{.neighbours = 8, .dimension = 2};
  const test::Normals up = cpu_normals(along_x, flat), right = cpu_normals(along_y, flat);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(up[i], (Vec3{0, 1, 0}));
    EXPECT_EQ(right[i], (Vec3{1, 0, 0}));
  }
}

TEST(Normals, AreZeroWhereNeighboursAreALineOrALocation) {
  std::vector<Vec3f> line;
  for (int i = 0; i < 100; ++i) line.push_back((0.37 * i * Vec3{0.001, 0.002, -0.0017}).cast<float>());
  for (const auto& points : {line, std::vector<Vec3f>(100, Vec3f{0.1f, 0.2f, 0.3f}), std::vector<Vec3f>(2)}) {
    const test::Normals found = cpu_normals(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(found[i], Vec3{});
      EXPECT_EQ(found.variation[i], 0);
    }
  }
}

TEST(Normals, VariationIsAThirdInACloudAndSmallOnASurface) {
  std::vector<Vec3f> corners;
  for (int i = 0; i < 8; ++i) corners.push_back({float(i & 1), float(i >> 1 & 1), float(i >> 2)});
  const test::Normals cube = cpu_normals(corners, {.neighbours = 8});
  EXPECT_NEAR(cube.variation[0], 1.0 / 3, 1e-6);
}

}  // namespace
}  // namespace dovetail
