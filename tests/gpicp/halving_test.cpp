// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/halving.h"

#include <gtest/gtest.h>

namespace dovetail::test {
namespace {

TEST(Halving, few_starts_run_all_of_the_schedule) {
  const auto rounds = halving_rounds(16, 20, 16);
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_EQ(rounds[0].iterations, 20);
  EXPECT_EQ(rounds[0].kept, 16u);
}

TEST(Halving, a_hundred_times_the_starts_cost_less_than_thirty_times) {
  double all = 0;
  int iterations = 0;
  std::size_t left = 1600;
  for (const HalvingRound& round : halving_rounds(1600, 20, 16)) {
    all += round.iterations * static_cast<double>(left);
    iterations += round.iterations;
    EXPECT_LE(round.kept, left);
    left = round.kept;
  }
  EXPECT_EQ(iterations, 20);
  EXPECT_EQ(left, 16u);
  EXPECT_LT(all, 30 * 20.0 * 16);
}

TEST(Halving, a_short_schedule_ends_with_what_is_left) {
  int iterations = 0;
  for (const HalvingRound& round : halving_rounds(1000, 3, 10)) iterations += round.iterations;
  EXPECT_EQ(iterations, 3);
}

}  // namespace
}  // namespace dovetail::test
