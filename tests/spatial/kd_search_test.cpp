// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/kd_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "spatial/sample_points.h"

namespace dovetail {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Every point of the tree, nearest first.
std::vector<Neighbour> sorted_by_distance(const KdTree& tree, const Vec3f& q) {
  std::vector<Neighbour> all;
  for (std::uint32_t slot = 0; slot < tree.size(); ++slot) {
    const TreePoint& p = tree.points()[slot];
    all.push_back({slot, p.index, squared_distance(q[0] - p.x, q[1] - p.y, q[2] - p.z)});
  }
  std::ranges::sort(all, [](const Neighbour& a, const Neighbour& b) { return a < b; });
  return all;
}

// Runs `check(tree, query, everything nearest first)` over shapes, sizes and queries.
template <class Check>
void over_all_cases(const Check& check) {
  for (const test::Shape& shape : test::shapes()) {
    for (const std::size_t size : test::awkward_sizes) {
      SCOPED_TRACE(shape.name + " of " + std::to_string(size));
      const KdTree tree{test::make_points(shape, size), test::scrambled_indices(size)};
      for (const Vec3f& q : test::make_queries(shape, size)) check(tree, q, sorted_by_distance(tree, q));
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(KdSearch, NearestIsExactTiesIncluded) {
  over_all_cases([](const KdTree& tree, const Vec3f& q, const std::vector<Neighbour>& expected) {
    const Neighbour found = nearest(tree.view(), q[0], q[1], q[2], infinity);
    ASSERT_EQ(found.found(), !expected.empty());
    if (!expected.empty()) {
      ASSERT_EQ(found, expected[0]);
    }
  });
}

TEST(KdSearch, NearestWithinADistanceIncludesTheLimit) {
  over_all_cases([](const KdTree& tree, const Vec3f& q, const std::vector<Neighbour>& expected) {
    if (expected.empty() || !std::isfinite(expected[0].squared_distance)) return;
    const float distance = expected[0].squared_distance;
    ASSERT_EQ(nearest(tree.view(), q[0], q[1], q[2], distance), expected[0]);
    if (distance > 0) {
      ASSERT_FALSE(nearest(tree.view(), q[0], q[1], q[2], std::nextafter(distance, 0.0f)).found());
    }
  });
}

TEST(KdSearch, KNearestAreExactAndSorted) {
  over_all_cases([](const KdTree& tree, const Vec3f& q, const std::vector<Neighbour>& expected) {
    for (const int k : {1, 2, 7, 32}) {
      KNearest<32> found(k, infinity);
      search(tree.view(), q[0], q[1], q[2], found);
      ASSERT_EQ(found.size(), std::min(k, int(expected.size())));
      for (int i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected[std::size_t(i)]);
    }
  });
}

TEST(KdSearch, KNearestWithinADistance) {
  over_all_cases([](const KdTree& tree, const Vec3f& q, const std::vector<Neighbour>& expected) {
    if (expected.size() < 5) return;
    const float limit = expected[4].squared_distance;
    const auto within = std::ranges::count_if(expected, [&](const auto& n) { return n.squared_distance <= limit; });
    KNearest<32> found(32, limit);
    search(tree.view(), q[0], q[1], q[2], found);
    ASSERT_EQ(found.size(), std::min(32, int(within)));
    for (int i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], expected[std::size_t(i)]);
  });
}

TEST(KdSearch, WithinARadiusFindsAllAndNoMore) {
  over_all_cases([](const KdTree& tree, const Vec3f& q, const std::vector<Neighbour>& expected) {
    for (const float radius : {0.0f, 0.015625f, 0.25f}) {
      std::vector<Neighbour> found;
      WithinRadius collect(radius, [&found](const Neighbour& n) { found.push_back(n); });
      search(tree.view(), q[0], q[1], q[2], collect);
      std::ranges::sort(found, [](const Neighbour& a, const Neighbour& b) { return a < b; });
      const auto end = std::ranges::find_if(expected, [&](const auto& n) { return n.squared_distance > radius; });
      ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), end));
    }
  });
}

TEST(KdSearch, EpsilonBoundsTheErrorAndSavesWork) {
  struct Counting : Nearest {
    using Nearest::Nearest;
    int looked_at = 0;
    bool offer(const Neighbour& candidate) {
      ++looked_at;
      return Nearest::offer(candidate);
    }
  };
  const float epsilon = 1.0f, factor = (1 + epsilon) * (1 + epsilon);
  const KdTree tree{test::make_points(test::shapes()[0], 10007)};
  long exact_work = 0, approximate_work = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3f q = test::uniform_point(30, i);
    Counting exact(infinity), approximate(infinity);
    search(tree.view(), q[0], q[1], q[2], exact);
    search(tree.view(), q[0], q[1], q[2], approximate, factor);
    EXPECT_LE(approximate.best().squared_distance, factor * exact.best().squared_distance);
    exact_work += exact.looked_at;
    approximate_work += approximate.looked_at;
  }
  EXPECT_LT(approximate_work * 3, exact_work * 2);
}

TEST(KdSearch, AQueryThatIsNotANumberFindsNothing) {
  const KdTree tree{test::make_points(test::shapes()[0], 1000)};
  EXPECT_FALSE(nearest(tree.view(), std::nanf(""), 0, 0, infinity).found());
}

}  // namespace
}  // namespace dovetail
