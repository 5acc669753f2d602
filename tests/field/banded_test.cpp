// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <gtest/gtest.h>

#include "backend/cpu/distance_field.h"
#include "backend/reference/distance_field.h"
#include "field/field_cases.h"
#include "hwy/highway.h"
#include "spatial/threads.h"

namespace dovetail {
namespace {

using namespace test;

FieldLevel cpu_of(const FieldGrid& grid, const Keys& keys, std::uint32_t band) {
  FieldLevel level = field_level(grid, keys, band);
  level.nearest.assign(level.stored_cells(), 77);  // every cell must be written
  build_field_cpu(level, keys);
  return level;
}

std::uint64_t place_of(const FieldView& view, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return view.grid.dimension == 2 ? view.stored_at<2>(x, y, z) : view.stored_at<3>(x, y, z);
}

/// As the dense field has it within the band, nothing beyond.
int differing_cells(const FieldLevel& banded, const FieldLevel& dense, const Keys& keys) {
  const FieldView view = banded.view();
  const std::uint64_t most = std::uint64_t{banded.band} * banded.band;
  int wrong = 0;
  for_each_cell(dense.grid, [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const std::uint32_t nearest = dense.nearest[dense.grid.index(x, y, z)];
    const std::uint32_t expected = squared_cells(keys[nearest], x, y, z) <= most ? nearest : no_site;
    const std::uint64_t place = place_of(view, x, y, z);
    wrong += (place == FieldView::no_cell ? no_site : banded.nearest[place]) != expected;
  });
  return wrong;
}

std::vector<FieldGrid> grids() {
  return {field_grid(2, 1, 1),     field_grid(2, 33, 31),    field_grid(2, 100, 257),  field_grid(2, 257, 1),
          field_grid(2, 1, 127),   field_grid(2, 192, 160),  field_grid(3, 1, 1, 1),   field_grid(3, 33, 17, 40),
          field_grid(3, 64, 8, 9), field_grid(3, 2, 65, 31), field_grid(3, 48, 48, 48)};
}

TEST(BandedField, EqualsTheDenseFieldWithinTheBand) {
  for (const FieldGrid& grid : grids()) {
    for (const Pattern pattern : patterns) {
      const Keys keys = make_keys(grid, pattern, 6);
      FieldLevel dense = field_level(grid, keys);
      build_field_cpu(dense, keys);
      for (const std::uint32_t band : {1u, 2u, 7u, 16u, 33u, 64u}) {
        EXPECT_EQ(differing_cells(cpu_of(grid, keys, band), dense, keys), 0) << described(grid, keys) << ", " << band;
      }
    }
  }
}

TEST(BandedField, EveryStoredCellEqualsTheReference) {
  for (const FieldGrid& grid : grids()) {
    for (const Pattern pattern : {Pattern::single, Pattern::few, Pattern::clustered, Pattern::lattice}) {
      for (const std::uint32_t band : {1u, 5u, 12u, 32u}) {
        const Keys keys = make_keys(grid, pattern, 8);
        FieldLevel reference = field_level(grid, keys, band);
        build_field_reference(reference, keys);
        EXPECT_TRUE(cpu_of(grid, keys, band).nearest == reference.nearest) << described(grid, keys) << ", " << band;
      }
    }
  }
}

TEST(BandedField, ALongGridIsNoTrouble) {
  const FieldGrid grid = field_grid(3, 26'000, 40, 5'000);  // dense it would take 21 GB
  const Keys keys = {cell_key(3, 5, 9), cell_key(13'000, 39, 9), cell_key(25'999, 0, 4'999)};
  const FieldLevel level = cpu_of(grid, keys, 16);
  EXPECT_LT(level.stored_cells(), 500'000u);
  FieldLevel reference = field_level(grid, keys, 16);
  build_field_reference(reference, keys);
  EXPECT_TRUE(level.nearest == reference.nearest);
}

TEST(BandedField, BitsDoNotDependOnThreadsNorInstructions) {
  for (const FieldGrid& grid : {field_grid(2, 417, 400), field_grid(3, 70, 45, 38)}) {
    const Keys keys = make_keys(grid, Pattern::few, 5);
    const auto build = [&] { return cpu_of(grid, keys, 12).nearest; };
    const std::vector<std::uint32_t> one = on_threads(1, build);
    for (const int threads : {2, 8}) EXPECT_TRUE(on_threads(threads, build) == one) << threads;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      EXPECT_TRUE(build() == one) << hwy::TargetName(target);
    }
    hwy::SetSupportedTargetsForTest(0);
  }
}

}  // namespace
}  // namespace dovetail
