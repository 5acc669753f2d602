// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include <limits>

#include "backend/cpu/distance_field.h"
#include "backend/reference/distance_field.h"
#include "field/field_cases.h"
#include "hwy/highway.h"
#include "spatial/threads.h"

namespace dovetail {
namespace {

using namespace test;

std::vector<std::uint32_t> reference_of(const FieldGrid& grid, const Keys& keys) {
  FieldLevel level = field_level(grid, keys);
  build_field_reference(level, keys);
  return level.nearest;
}

std::vector<std::uint32_t> cpu_of(const FieldGrid& grid, const Keys& keys) {
  FieldLevel level = field_level(grid, keys);
  level.nearest.assign(3, 5);  // what it held before does not matter
  build_field_cpu(level, keys);
  return level.nearest;
}

std::vector<FieldGrid> awkward_grids() {
  std::vector<FieldGrid> grids;
  const std::uint32_t sides[] = {1, 2, 31, 32, 33, 63, 65, 100, 127, 257};
  for (const std::uint32_t side : sides) {
    grids.push_back(field_grid(2, side, side));
    grids.push_back(field_grid(2, 1, side));
    grids.push_back(field_grid(2, side, 1));
    grids.push_back(field_grid(2, side, 2 + 100 / side));
  }
  for (const std::uint32_t side : {1u, 2u, 15u, 16u, 17u, 33u}) {
    grids.push_back(field_grid(3, side, side, side));
    grids.push_back(field_grid(3, 100, side, 2));
    grids.push_back(field_grid(3, side, 2, 65));
    grids.push_back(field_grid(3, 1, 33, side));
  }
  grids.push_back(field_grid(3, 1, 1, 127));
  return grids;
}

TEST(DenseField, TheReferenceIsTheNearestOfAll) {
  for (const FieldGrid& grid : {field_grid(2, 1, 1), field_grid(2, 17, 23), field_grid(2, 40, 3),
                                field_grid(3, 9, 8, 7), field_grid(3, 1, 12, 5), field_grid(3, 13, 13, 13)}) {
    for (const Pattern pattern : patterns) {
      const Keys keys = make_keys(grid, pattern);
      const std::vector<std::uint32_t> nearest = reference_of(grid, keys);
      int wrong = 0;
      for_each_cell(grid, [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        wrong += nearest[grid.index(x, y, z)] != nearest_of_all(keys, x, y, z);
      });
      EXPECT_EQ(wrong, 0) << described(grid, keys);
    }
  }
}

TEST(DenseField, TheCpuEqualsTheReferenceOnAwkwardSizes) {
  for (const FieldGrid& grid : awkward_grids()) {
    for (const Pattern pattern : patterns) {
      const Keys keys = make_keys(grid, pattern, 2);
      EXPECT_TRUE(cpu_of(grid, keys) == reference_of(grid, keys)) << described(grid, keys);
    }
  }
}

TEST(DenseField, TheCpuEqualsTheReferenceOnRandomSizes) {
  std::mt19937_64 random(7);
  for (unsigned i = 0; i < 200; ++i) {
    const auto side = [&](std::uint64_t most) { return 1 + static_cast<std::uint32_t>(random() % most); };
    const std::uint32_t x = side(i % 2 == 0 ? 120 : 40), y = side(i % 2 == 0 ? 120 : 20), z = i % 2 == 0 ? 1 : side(20);
    const FieldGrid grid = field_grid(i % 2 == 0 ? 2 : 3, x, y, z);
    const Keys keys = make_keys(grid, patterns[i / 2 % std::size(patterns)], i);
    EXPECT_TRUE(cpu_of(grid, keys) == reference_of(grid, keys)) << described(grid, keys);
  }
}

/// Squared distances by another method: the lower envelope of parabolas, line by line.
std::vector<double> squared_by_envelopes(const FieldGrid& grid, const Keys& keys) {
  constexpr double far = 1e15;
  std::vector<double> squared(grid.size(), far);
  for (const std::uint64_t key : keys) squared[grid.index(key_x(key), key_y(key), key_z(key))] = 0;
  const std::size_t steps[] = {1, grid.cells[0], std::size_t{grid.cells[0]} * grid.cells[1]};
  for (int axis = 0; axis < grid.dimension; ++axis) {
    const std::size_t length = grid.cells[axis], step = steps[axis];
    std::vector<double> line(length), from(length + 1);
    std::vector<std::size_t> vertex(length);
    for (std::size_t start = 0; start < grid.size(); ++start) {
      if (start / step % length != 0) continue;
      for (std::size_t i = 0; i < length; ++i) line[i] = squared[start + i * step];
      const auto height = [&](std::size_t i) { return line[i] + static_cast<double>(i) * static_cast<double>(i); };
      std::size_t count = 0;
      for (std::size_t i = 0; i < length; ++i) {
        double cross = -std::numeric_limits<double>::infinity();
        while (count > 0) {
          const std::size_t v = vertex[count - 1];
          cross = (height(i) - height(v)) / (2.0 * static_cast<double>(i - v));
          if (cross > from[count - 1]) break;
          --count;
          cross = -std::numeric_limits<double>::infinity();
        }
        vertex[count] = i;
        from[count++] = cross;
      }
      for (std::size_t i = 0, v = 0; i < length; ++i) {
        while (v + 1 < count && from[v + 1] < static_cast<double>(i)) ++v;
        const double along = static_cast<double>(i) - static_cast<double>(vertex[v]);
        squared[start + i * step] = line[vertex[v]] + along * along;
      }
    }
  }
  return squared;
}

TEST(DenseField, LargeFieldsAreExact) {
  const FieldGrid grids[] = {field_grid(2, 1536, 1111), field_grid(2, 3, 26'000), field_grid(2, 40'000, 2),
                             field_grid(3, 129, 140, 96)};
  for (const FieldGrid& grid : grids) {
    for (const Pattern pattern : {Pattern::few, Pattern::random, Pattern::clustered, Pattern::lattice}) {
      const Keys keys = make_keys(grid, pattern, 3);
      const std::vector<std::uint32_t> nearest = cpu_of(grid, keys);
      const std::vector<double> squared = squared_by_envelopes(grid, keys);
      int wrong = 0;
      for_each_cell(grid, [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        const std::uint64_t cell = grid.index(x, y, z);
        const auto apart = static_cast<double>(squared_cells(keys[nearest[cell]], x, y, z));
        wrong += apart < squared[cell] || apart > squared[cell];
      });
      EXPECT_EQ(wrong, 0) << described(grid, keys);
      std::mt19937_64 random(4);
      for (int i = 0; i < 50; ++i) {  // ties too
        const auto x = static_cast<std::uint32_t>(random() % grid.cells[0]);
        const auto y = static_cast<std::uint32_t>(random() % grid.cells[1]);
        const auto z = static_cast<std::uint32_t>(random() % grid.cells[2]);
        EXPECT_EQ(nearest[grid.index(x, y, z)], nearest_of_all(keys, x, y, z)) << described(grid, keys);
      }
    }
  }
}

TEST(DenseField, SquaredDistancesNearTheLimitAreExact) {
  // The squares of the sides together are just below 2^31.
  const FieldGrid grid = field_grid(2, 46'340, 20);
  const Keys keys = {cell_key(0, 0, 0), cell_key(46'339, 19, 0)};
  const std::vector<std::uint32_t> nearest = cpu_of(grid, keys);
  for (const std::uint32_t x : {0u, 1u, 23'160u, 23'169u, 23'170u, 23'171u, 46'338u, 46'339u}) {
    for (std::uint32_t y = 0; y < 20; ++y) {
      EXPECT_EQ(nearest[grid.index(x, y, 0)], nearest_of_all(keys, x, y, 0)) << x << ", " << y;
    }
  }
}

TEST(DenseField, BitsDoNotDependOnThreadsNorInstructions) {
  for (const FieldGrid& grid : {field_grid(2, 417, 400), field_grid(3, 70, 45, 38)}) {
    const Keys keys = make_keys(grid, Pattern::random, 5);
    const std::vector<std::uint32_t> one = on_threads(1, [&] { return cpu_of(grid, keys); });
    for (const int threads : {2, 3, 8}) {
      EXPECT_TRUE(on_threads(threads, [&] { return cpu_of(grid, keys); }) == one) << threads;
    }
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      EXPECT_TRUE(cpu_of(grid, keys) == one) << hwy::TargetName(target);
    }
    hwy::SetSupportedTargetsForTest(0);
  }
}

}  // namespace
}  // namespace dovetail
