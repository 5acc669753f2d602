// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "spatial/morton.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "spatial/sample_points.h"
#include "spatial/threads.h"

namespace dovetail {
namespace {

// Bit by bit.
MortonCode obvious_code(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  MortonCode code{};
  for (int bit = 0; bit < MortonCode::bits; ++bit) {
    const std::uint64_t three = (x >> bit & 1) | (y >> bit & 1) << 1 | (z >> bit & 1) << 2;
    (bit < 21 ? code.low : code.high) |= three << (3 * (bit % 21));
  }
  return code;
}

struct Arrays {
  std::vector<float> x, y, z;
};

Arrays arrays_of(const std::vector<Vec3f>& points) {
  Arrays a;
  for (const Vec3f& p : points) a.x.push_back(p[0]), a.y.push_back(p[1]), a.z.push_back(p[2]);
  return a;
}

TEST(Morton, InterleavesTheBits) {
  RandomStream random(3, 0);
  const auto cell = [&random] {
    return (std::uint64_t{random.next()} << 32 | random.next()) >> (64 - MortonCode::bits);
  };
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t x = cell(), y = cell(), z = cell();
    ASSERT_EQ(morton_code(x, y, z), obvious_code(x, y, z));
  }
  EXPECT_LT(morton_code((1 << 21) - 1, 0, 0), morton_code(1 << 21, 0, 0));
}

TEST(Morton, SortsManyPointsAsFewOnes) {
  // Of one octant and of all, in a few cells and in many, all in one: what the first bits of codes tell differs.
  for (const int used : {0, 1, 5, 11, 20, 21, 22, 30, MortonCode::bits}) {
    RandomStream random(4, static_cast<std::uint64_t>(used));
    std::vector<CodedPoint> points(30'000);
    const auto cell = [&]() -> std::uint64_t {
      return used == 0 ? 0 : (std::uint64_t{random.next()} << 32 | random.next()) >> (64 - used);
    };
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      const std::uint64_t x = cell(), y = cell(), z = cell();
      points[i] = {morton_code(x, y, z), 7 * i % 30'011, i};
    }
    std::vector<CodedPoint> expected = points;
    std::sort(expected.begin(), expected.end(), [](const CodedPoint& a, const CodedPoint& b) {
      return a.code != b.code ? a.code < b.code : a.index < b.index;
    });
    sort_along_curve(points);
    for (std::size_t i = 0; i < points.size(); ++i) ASSERT_EQ(points[i].position, expected[i].position) << used;
  }
}

TEST(Morton, OrderVisitsTheOctantsOneAfterTheOther) {
  const Arrays a = arrays_of(test::make_points(test::shapes()[0], 10007));
  const auto order = morton_order(a.x, a.y, a.z);
  ASSERT_EQ(order.size(), a.x.size());
  int changes = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto octant = [&](std::uint32_t p) { return (a.x[p] >= 0) + 2 * (a.y[p] >= 0) + 4 * (a.z[p] >= 0); };
    changes += octant(order[i]) != octant(order[i - 1]);
  }
  // Seven for the octants of the cube itself; the cube is centred on zero to within the sample's rim only, so a few
  // points change sides.
  EXPECT_LT(changes, 100);
}

TEST(Morton, OrderIsAPermutationWithTiesByIndexOnAnyNumberOfThreads) {
  for (const test::Shape& shape : test::shapes()) {
    const Arrays a = arrays_of(test::make_points(shape, 10007));
    const auto index = test::scrambled_indices(10007);
    const auto run = [&](int threads) {
      return test::on_threads(threads, [&] { return morton_order(a.x, a.y, a.z, index); });
    };
    const auto order = run(1);
    EXPECT_EQ(order, run(2)) << shape.name;
    EXPECT_EQ(order, run(5)) << shape.name;
    for (std::size_t i = 1; i < order.size(); ++i) {
      const std::uint32_t p = order[i - 1], q = order[i];
      if (a.x[p] == a.x[q] && a.y[p] == a.y[q] && a.z[p] == a.z[q]) {
        ASSERT_LT(index[p], index[q]) << shape.name;
      }
    }
    auto sorted = order;
    std::ranges::sort(sorted);
    for (std::uint32_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);
  }
}

TEST(Morton, OnePointFarAwayDoesNotUndoTheOrder) {
  Arrays a = arrays_of(test::make_points(test::shapes()[0], 1000));
  const auto length = [&](const std::vector<std::uint32_t>& order) {
    double sum = 0;
    for (std::size_t i = 1; i < 1000; ++i) {
      const std::uint32_t p = order[i - 1], q = order[i];
      sum += norm(Vec3f{a.x[p] - a.x[q], a.y[p] - a.y[q], a.z[p] - a.z[q]});
    }
    return sum;
  };
  const double before = length(morton_order(a.x, a.y, a.z));
  a.x.push_back(1e6f), a.y.push_back(0), a.z.push_back(0);
  EXPECT_LT(length(morton_order(a.x, a.y, a.z)), 1.2 * before);
}

TEST(Morton, HandlesNoneAndOne) {
  EXPECT_TRUE(morton_order({}, {}, {}).empty());
  const std::vector<float> one = {0.5f};
  EXPECT_EQ(morton_order(one, one, one), std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace dovetail
