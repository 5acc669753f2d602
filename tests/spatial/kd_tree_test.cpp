// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/kd_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "dovetail/error.h"
#include "spatial/kd_search.h"
#include "spatial/sample_points.h"
#include "spatial/threads.h"

namespace dovetail {
namespace {

bool same_bytes(const KdTree& a, const KdTree& b) {
  return a.size() == b.size() && std::ranges::equal(a.order(), b.order()) && a.nodes().size() == b.nodes().size() &&
         std::memcmp(a.points().data(), b.points().data(), a.points().size_bytes()) == 0 &&
         std::memcmp(a.nodes().data(), b.nodes().data(), a.nodes().size_bytes()) == 0;
}

float coordinate(const TreePoint& p, std::uint32_t axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

// Walks the tree and checks what the search relies on.
void expect_valid(const KdTree& tree, std::uint32_t node = 1, int depth = 0) {
  const KdTreeView view = tree.view();
  const SlotRange slots = view.slots(node, depth);
  const auto points = tree.points().subspan(slots.begin, slots.end - slots.begin);
  const auto by_index = [](const TreePoint& a, const TreePoint& b) { return a.index < b.index; };
  if (depth == view.depth) {
    EXPECT_LE(points.size(), KdTree::bucket_size);
    EXPECT_TRUE(std::ranges::is_sorted(points, by_index));
    return;
  }
  const KdNode inner = tree.nodes()[node];
  if (inner.axis == KdNode::uniform) {
    EXPECT_TRUE(std::ranges::is_sorted(points, by_index));
    EXPECT_TRUE(std::ranges::all_of(
        points, [&](const TreePoint& p) { return p.x == points[0].x && p.y == points[0].y && p.z == points[0].z; }));
    return;
  }
  const std::uint32_t middle = view.slots(2 * node, depth + 1).end - slots.begin;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const float value = coordinate(points[i], inner.axis);
    ASSERT_TRUE(i < middle ? value <= inner.split : value >= inner.split);
  }
  expect_valid(tree, 2 * node, depth + 1);
  expect_valid(tree, 2 * node + 1, depth + 1);
}

TEST(KdTree, IsValidForEveryShapeAndSize) {
  for (const test::Shape& shape : test::shapes()) {
    for (const std::size_t size : test::awkward_sizes) {
      SCOPED_TRACE(shape.name + " of " + std::to_string(size));
      const auto points = test::make_points(shape, size);
      const KdTree tree{points};
      ASSERT_EQ(tree.size(), size);
      if (size == 0) continue;
      expect_valid(tree);
      std::vector<bool> seen(size);
      for (std::uint32_t slot = 0; slot < size; ++slot) {
        const TreePoint& p = tree.points()[slot];
        EXPECT_EQ(p.index, tree.order()[slot]);
        EXPECT_EQ((Vec3f{p.x, p.y, p.z}), points[p.index]);
        EXPECT_FALSE(seen[p.index]);
        seen[p.index] = true;
      }
    }
  }
}

TEST(KdTree, DepthIsTheSmallestWhoseBucketsFit) {
  const auto depth = [](std::size_t size) { return KdTree{test::make_points(test::shapes()[0], size)}.view().depth; };
  EXPECT_EQ(depth(8), 0);
  EXPECT_EQ(depth(9), 1);
  EXPECT_EQ(depth(16), 1);
  EXPECT_EQ(depth(17), 2);
  EXPECT_EQ(depth(10007), 11);
}

TEST(KdTree, KeepsTheCallersIndexAndTheOrder) {
  const auto points = test::make_points(test::shapes()[1], 1000);
  const auto index = test::scrambled_indices(1000);
  const KdTree tree{points, index};
  expect_valid(tree);
  for (std::uint32_t slot = 0; slot < tree.size(); ++slot) {
    const TreePoint& p = tree.points()[slot];
    EXPECT_EQ(p.index, index[tree.order()[slot]]);
    EXPECT_EQ((Vec3f{p.x, p.y, p.z}), points[tree.order()[slot]]);
  }
}

TEST(KdTree, IsTheSameOnAnyNumberOfThreads) {
  for (const test::Shape& shape : test::shapes()) {
    const auto points = test::make_points(shape, 30011);
    const auto build = [&](int threads) { return test::on_threads(threads, [&] { return KdTree{points}; }); };
    EXPECT_TRUE(same_bytes(build(1), build(2))) << shape.name;
    EXPECT_TRUE(same_bytes(build(1), build(5))) << shape.name;
  }
}

TEST(KdTree, IsTheSameWhateverOrderThePointsComeIn) {
  const auto points = test::make_points(test::shapes()[1], 5000);
  std::vector<std::uint32_t> index(points.size());
  for (std::uint32_t i = 0; i < index.size(); ++i) index[i] = i;
  const KdTree forward{points, index};
  const std::vector<Vec3f> reversed(points.rbegin(), points.rend());
  std::ranges::reverse(index);
  const KdTree backward{reversed, index};
  EXPECT_EQ(std::memcmp(forward.points().data(), backward.points().data(), forward.points().size_bytes()), 0);
}

TEST(KdTree, CoordinatesByArrayAndByPointGiveTheSameTree) {
  const auto points = test::make_points(test::shapes()[0], 1000);
  std::vector<float> x, y, z;
  for (const Vec3f& p : points) x.push_back(p[0]), y.push_back(p[1]), z.push_back(p[2]);
  EXPECT_TRUE(same_bytes(KdTree{points}, KdTree(x, y, z)));
  EXPECT_THROW(KdTree(x, y, std::span(z).first(999)), InvalidArgument);
  EXPECT_THROW((KdTree{points, std::vector<std::uint32_t>(3)}), InvalidArgument);
}

TEST(KdTree, AMillionEqualPointsAreSearchedWithoutLookingAtAll) {
  const std::vector<Vec3f> points(1'000'000, Vec3f{0.5f, -0.25f, 0.125f});
  const KdTree tree{points};
  // Were every duplicate looked at, this would take minutes.
  for (int i = 0; i < 20'000; ++i) {
    const Neighbour found = nearest(tree.view(), 0.5f, -0.25f, 0.125f, 1.0f);
    ASSERT_EQ(found.index, 0u);
    KNearest<4> four(4, 1.0f);
    search(tree.view(), 0, 0, 0, four);
    ASSERT_EQ(four[3].index, 3u);
  }
}

}  // namespace
}  // namespace dovetail
