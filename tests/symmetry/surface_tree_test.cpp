// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/surface_tree.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "spatial/farthest_pair.h"

namespace dovetail {
namespace {

/// The nearest place of a triangle found by dividing it, to within its size / 2^depth.
double by_dividing(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& x, int depth) {
  if (depth == 0) return std::min({norm(x - a), norm(x - b), norm(x - c)});
  const Vec3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
  // Only the quarter whose middle is nearest and its neighbours can hold it; all four are looked at.
  return std::min({by_dividing(a, ab, ca, x, depth - 1), by_dividing(ab, b, bc, x, depth - 1),
                   by_dividing(ca, bc, c, x, depth - 1), by_dividing(ab, bc, ca, x, depth - 1)});
}

TEST(SurfaceTree, KnowsOneTriangle) {
  for (std::uint64_t i = 0; i < 40; ++i) {
    RandomStream random(1, i);
    const Vec3 a = random.unit_vector(), b = random.unit_vector(), c = random.unit_vector();
    const Vec3 x = 2.0 * random.unit_vector();
    const SurfaceTree tree(SurfaceTree::Kind::triangles, {{a, b, c}});
    const SurfacePlace at = tree.nearest(x, 100);
    ASSERT_TRUE(at.found());
    EXPECT_NEAR(norm(x - at.position), std::sqrt(at.squared_distance), 1e-12);
    const double divided = by_dividing(a, b, c, x, 7);
    EXPECT_LE(std::sqrt(at.squared_distance), divided + 1e-12);
    EXPECT_GT(std::sqrt(at.squared_distance), divided - 2.0 / 128) << "sides are up to 2, halved seven times";
  }
}

/// Against looking at every piece.
TEST(SurfaceTree, FindsTheNearestOfMany) {
  for (const SurfaceTree::Kind kind : {SurfaceTree::Kind::triangles, SurfaceTree::Kind::discs}) {
    for (const std::size_t count : {0u, 1u, 2u, 4u, 5u, 33u, 1000u}) {
      std::vector<SurfacePiece> pieces;
      for (std::size_t i = 0; i < count; ++i) {
        RandomStream random(2, i);
        const Vec3 a = random.uniform() * random.unit_vector();
        if (kind == SurfaceTree::Kind::triangles) {
          pieces.push_back({a, a + 0.1 * random.unit_vector(), a + 0.1 * random.unit_vector()});
        } else {
          pieces.push_back({a, i % 5 == 0 ? Vec3{} : random.unit_vector(), {0.05 * random.uniform(), 0, 0}});
        }
      }
      const SurfaceTree tree(kind, pieces);
      for (std::uint64_t q = 0; q < 50; ++q) {
        RandomStream random(3, q);
        const Vec3 x = 1.2 * random.uniform() * random.unit_vector();
        double least = 4;
        for (const SurfacePiece& piece : pieces) {
          const SurfaceTree alone(kind, {piece});
          const SurfacePlace at = alone.nearest(x, 4);
          if (at.found()) least = std::min(least, at.squared_distance);
        }
        const SurfacePlace at = tree.nearest(x, 4);
        EXPECT_EQ(at.found(), count > 0);
        EXPECT_EQ(at.squared_distance, least);
        EXPECT_EQ(tree.any_within(x, least * (1 + 1e-12)), count > 0);
        EXPECT_FALSE(count > 0 && tree.any_within(x, least * (1 - 1e-9) - 1e-300));
      }
    }
  }
}

TEST(SurfaceTree, DiscsHaveAnEdge) {
  const SurfaceTree disc(SurfaceTree::Kind::discs, {{{0, 0, 0}, {0, 0, 1}, {2, 0, 0}}});
  EXPECT_NEAR(disc.nearest({1, 1, 3}, 100).squared_distance, 9, 1e-12);
  EXPECT_NEAR(disc.nearest({5, 0, 4}, 100).squared_distance, 25, 1e-12);
  const SurfaceTree ball(SurfaceTree::Kind::discs, {{{0, 0, 0}, {0, 0, 0}, {2, 0, 0}}});
  EXPECT_NEAR(ball.nearest({0, 0, 5}, 100).squared_distance, 9, 1e-12);
  EXPECT_EQ(ball.nearest({0, 1, 1}, 100).squared_distance, 0);
  EXPECT_FALSE(ball.nearest({0, 0, 5}, 8).found());
}

TEST(LargestDistance, IsThatOfAllPairs) {
  for (const std::size_t count : {0u, 1u, 2u, 9u, 500u}) {
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < count; ++i) points.push_back(RandomStream(4, i).unit_vector());
    double largest = 0;
    for (const Vec3& a : points) {
      for (const Vec3& b : points) largest = std::max(largest, norm(a - b));
    }
    EXPECT_NEAR(largest_distance(points), largest, 1e-15);
  }
}

}  // namespace
}  // namespace dovetail
