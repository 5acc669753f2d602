// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "dovetail/error.h"
#include "spatial/kd_search.h"
#include "spatial/left_balanced_search.h"
#include "spatial/sample_points.h"
#include "spatial/threads.h"

namespace dovetail {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

float coordinate(const TreePoint& p, std::uint8_t axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

/// All nodes below one, itself first.
std::vector<std::uint32_t> below(const LeftBalancedTree& tree, std::uint32_t node) {
  std::vector<std::uint32_t> all;
  if (node < tree.size()) all.push_back(node);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::uint32_t child : {2 * all[i] + 1, 2 * all[i] + 2}) {
      if (child < tree.size()) all.push_back(child);
    }
  }
  return all;
}

Neighbour by_brute_force(const LeftBalancedTree& tree, const Vec3f& q, float reach) {
  Nearest result(reach);
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    const TreePoint& p = tree.points()[node];
    result.offer({node, p.index, squared_distance(q[0] - p.x, q[1] - p.y, q[2] - p.z)});
  }
  return result.best();
}

/// Runs `check(tree, query)` over shapes (equal points, points on a line and in a plane among them), sizes and queries.
template <class Check>
void over_all_cases(const Check& check) {
  for (const test::Shape& shape : test::shapes()) {
    for (const std::size_t size : test::awkward_sizes) {
      SCOPED_TRACE(shape.name + " of " + std::to_string(size));
      const LeftBalancedTree tree{test::make_points(shape, size), test::scrambled_indices(size)};
      for (const Vec3f& q : test::make_queries(shape, size)) check(tree, q);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(LeftBalancedTree, HoldsEveryPointOnceAndSplitsThem) {
  for (const test::Shape& shape : test::shapes()) {
    for (const std::size_t size : test::awkward_sizes) {
      SCOPED_TRACE(shape.name + " of " + std::to_string(size));
      const auto points = test::make_points(shape, size);
      const LeftBalancedTree tree{points};
      ASSERT_EQ(tree.size(), size);
      std::vector<bool> seen(size);
      for (const TreePoint& p : tree.points()) {
        EXPECT_EQ((Vec3f{p.x, p.y, p.z}), points[p.index]);
        EXPECT_FALSE(seen[p.index]);
        seen[p.index] = true;
      }
      for (std::uint32_t node = 0; node < tree.size(); ++node) {
        const std::uint8_t axis = tree.axes()[node];
        ASSERT_LT(axis, 3);
        const float split = coordinate(tree.points()[node], axis);
        for (const std::uint32_t i : below(tree, 2 * node + 1)) ASSERT_LE(coordinate(tree.points()[i], axis), split);
        for (const std::uint32_t i : below(tree, 2 * node + 2)) ASSERT_GE(coordinate(tree.points()[i], axis), split);
      }
    }
  }
}

TEST(LeftBalancedTree, IsTheSameOnAnyNumberOfThreads) {
  const auto points = test::make_points(test::shapes()[1], 10007);
  const auto build = [&](int threads) { return test::on_threads(threads, [&] { return LeftBalancedTree{points}; }); };
  const LeftBalancedTree one = build(1), many = build(4);
  EXPECT_TRUE(std::ranges::equal(one.axes(), many.axes()));
  EXPECT_EQ(std::memcmp(one.points().data(), many.points().data(), one.points().size_bytes()), 0);
}

TEST(LeftBalancedTree, OfAnotherTreeNamesItsSlots) {
  const KdTree from{test::make_points(test::shapes()[4], 1000), test::scrambled_indices(1000)};
  const LeftBalancedTree tree(from);
  ASSERT_EQ(tree.size(), 1000u);
  for (const TreePoint& p : tree.points()) {
    const TreePoint& there = from.points()[p.index];
    EXPECT_EQ((Vec3f{p.x, p.y, p.z}), (Vec3f{there.x, there.y, there.z}));
  }
}

TEST(LeftBalancedTree, RefusesArraysThatDoNotFit) {
  const std::vector<float> two(2), three(3);
  const std::vector<std::uint32_t> names(2);
  EXPECT_THROW(LeftBalancedTree(two, two, three), InvalidArgument);
  EXPECT_THROW(LeftBalancedTree(three, three, three, names), InvalidArgument);
}

TEST(LeftBalancedSearch, BothWaysAreExactTiesIncluded) {
  over_all_cases([](const LeftBalancedTree& tree, const Vec3f& q) {
    const Neighbour expected = by_brute_force(tree, q, infinity);
    ASSERT_EQ(nearest_with_stack(tree.view(), q[0], q[1], q[2], infinity), expected);
    ASSERT_EQ(nearest_stackless(tree.view(), q[0], q[1], q[2], infinity), expected);
  });
}

TEST(LeftBalancedSearch, TheReachIsIncluded) {
  over_all_cases([](const LeftBalancedTree& tree, const Vec3f& q) {
    const Neighbour expected = by_brute_force(tree, q, infinity);
    if (!expected.found() || !std::isfinite(expected.squared_distance)) return;
    const float at = expected.squared_distance, within = std::nextafter(at, 0.0f);
    ASSERT_EQ(nearest_with_stack(tree.view(), q[0], q[1], q[2], at), expected);
    ASSERT_EQ(nearest_stackless(tree.view(), q[0], q[1], q[2], at), expected);
    if (at == 0) return;
    ASSERT_FALSE(nearest_with_stack(tree.view(), q[0], q[1], q[2], within).found());
    ASSERT_FALSE(nearest_stackless(tree.view(), q[0], q[1], q[2], within).found());
  });
}

/// Counts what it is offered.
struct Counting : Nearest {
  using Nearest::Nearest;
  int looked_at = 0;
  bool offer(const Neighbour& candidate) {
    ++looked_at;
    return Nearest::offer(candidate);
  }
};

TEST(LeftBalancedSearch, BothWaysLookAtTheSameNodes) {
  over_all_cases([](const LeftBalancedTree& tree, const Vec3f& q) {
    for (const float factor : {1.0f, 4.0f}) {
      Counting stack(infinity), stackless(infinity);
      search_with_stack(tree.view(), q[0], q[1], q[2], stack, factor);
      search_stackless(tree.view(), q[0], q[1], q[2], stackless, factor);
      ASSERT_EQ(stack.looked_at, stackless.looked_at);
      ASSERT_EQ(stack.best(), stackless.best());
    }
  });
}

TEST(LeftBalancedSearch, EpsilonBoundsTheErrorAndSavesWork) {
  const LeftBalancedTree tree{test::make_points(test::shapes()[0], 10007)};
  long work[4] = {0, 0, 0, 0};
  const float epsilons[3] = {0, 0.5f, 2};
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3f q = test::uniform_point(30, i);
    const float least = by_brute_force(tree, q, infinity).squared_distance;
    for (int k = 0; k < 3; ++k) {
      const float factor = (1 + epsilons[k]) * (1 + epsilons[k]);
      Counting found(infinity);
      search_stackless(tree.view(), q[0], q[1], q[2], found, factor);
      // The bound is rounded by the factor once more than a distance is.
      EXPECT_LE(found.best().squared_distance, factor * least * 1.000001f);
      work[k] += found.looked_at;
    }
    Counting down(infinity);
    search_down(tree.view(), q[0], q[1], q[2], down);
    EXPECT_GE(down.best().squared_distance, least);
    EXPECT_LE(down.looked_at, 14);  // the levels of 10007 nodes
    work[3] += down.looked_at;
  }
  for (int k = 1; k < 4; ++k) EXPECT_LT(work[k], work[k - 1]);
}

TEST(LeftBalancedSearch, OnTheWayDownItFindsThePointItself) {
  const auto points = test::make_points(test::shapes()[0], 1000);  // all different along every axis
  const LeftBalancedTree tree{points};
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const Neighbour found = nearest_on_way_down(tree.view(), points[i][0], points[i][1], points[i][2], infinity);
    EXPECT_EQ(found.index, i);
    EXPECT_EQ(found.squared_distance, 0);
  }
  EXPECT_FALSE(nearest_on_way_down(tree.view(), 9, 9, 9, 1).found());
  EXPECT_FALSE(nearest_on_way_down({}, 0, 0, 0, infinity).found());
}

TEST(LeftBalancedSearch, AQueryThatIsNotANumberFindsNothing) {
  const LeftBalancedTree tree{test::make_points(test::shapes()[0], 1000)};
  EXPECT_FALSE(nearest_with_stack(tree.view(), std::nanf(""), 0, 0, infinity).found());
  EXPECT_FALSE(nearest_stackless(tree.view(), 0, std::nanf(""), 0, infinity).found());
}

}  // namespace
}  // namespace dovetail
