// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/scale.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "spatial/sample_points.h"

namespace dovetail {
namespace {

std::vector<Vec3f> lattice(int nx, int ny, int nz, float step) {
  std::vector<Vec3f> points;
  for (int x = 0; x < nx; ++x) {
    for (int y = 0; y < ny; ++y) {
      for (int z = 0; z < nz; ++z) points.push_back(step * Vec3f{float(x), float(y), float(z)});
    }
  }
  return points;
}

TEST(Scale, OfALattice) {
  const CloudScale small = measure_scale(KdTree{lattice(5, 4, 3, 0.25f)});
  EXPECT_EQ(small.spacing, 0.25);
  EXPECT_DOUBLE_EQ(small.extent, 0.25 * std::sqrt(16.0 + 9.0 + 4.0));
  // A hundredth of the points are in an outermost layer here, so 0.5% reaches into none beyond it.
  const CloudScale large = measure_scale(KdTree{lattice(100, 100, 1, 0.5f)});
  EXPECT_EQ(large.spacing, 0.5);
  EXPECT_DOUBLE_EQ(large.extent, 0.5 * 99 * std::sqrt(2.0));
}

TEST(Scale, TrimsHalfAPercentAtEitherEnd) {
  std::vector<Vec3f> line;
  for (int i = 0; i < 1000; ++i) line.push_back({float((i * 7919) % 1000), 0, 0});
  EXPECT_EQ(measure_scale(KdTree{line}).extent, 994 - 5);
  line.resize(199);
  float low = 1000, high = 0;
  for (const Vec3f& p : line) low = std::min(low, p[0]), high = std::max(high, p[0]);
  EXPECT_EQ(measure_scale(KdTree{line}).extent, high - low);
}

TEST(Scale, DuplicatesDoNotCount) {
  auto points = lattice(5, 4, 3, 0.25f);
  const auto once = points;
  for (int copy = 0; copy < 20; ++copy) points.insert(points.end(), once.begin(), once.end());
  EXPECT_EQ(measure_scale(KdTree{points}).spacing, 0.25);
}

TEST(Scale, AFewOutliersDoNotCount) {
  auto points = test::make_points(test::shapes()[0], 2000);
  const CloudScale before = measure_scale(KdTree{points});
  for (std::size_t i = 0; i < 9; ++i) points[i] = {1000.0f + float(i), 0, 0};
  const CloudScale after = measure_scale(KdTree{points});
  EXPECT_NEAR(after.extent, before.extent, 0.01 * before.extent);
  EXPECT_NEAR(after.spacing, before.spacing, 0.02 * before.spacing);
}

TEST(Scale, OfNothingOfOnePointAndOfOneLocation) {
  for (const std::size_t size : {0u, 1u, 100u}) {
    const CloudScale scale = measure_scale(KdTree{test::make_points(test::shapes()[6], size)});
    EXPECT_EQ(scale.extent, 0);
    EXPECT_EQ(scale.spacing, 0);
  }
}

TEST(Scale, DoesNotDependOnTheOrderOfThePoints) {
  auto points = test::make_points(test::shapes()[0], 10007);
  const CloudScale before = measure_scale(KdTree{points});
  std::ranges::reverse(points);
  const CloudScale after = measure_scale(KdTree{points});
  EXPECT_EQ(before.extent, after.extent);
  EXPECT_EQ(before.spacing, after.spacing);
}

}  // namespace
}  // namespace dovetail
