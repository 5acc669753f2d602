// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "field_gpu/oracle.h"

#include <gtest/gtest.h>

namespace dovetail {
namespace {

using namespace test;

TEST(FieldOracle, LinesAgreeWithTryingEverySeed) {
  unsigned seed = 1;
  for (const FieldGrid& grid : {grid_of(1, 1), grid_of(17, 9), grid_of(1, 30), grid_of(30, 1), grid_of(9, 8, 7),
                                grid_of(1, 1, 20), grid_of(12, 1, 12)}) {
    for (const double wanted : {1.0, 3.0, 10.0, 100.0, 1e9}) {
      const Keys keys = random_keys(grid, wanted, ++seed);
      EXPECT_EQ(nearest_by_lines(grid, keys), nearest_by_trying(grid, keys)) << seed;
    }
  }
}

}  // namespace
}  // namespace dovetail
