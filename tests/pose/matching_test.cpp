// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "pose/matching.h"

#include <gtest/gtest.h>

#include "pose/average_precision.h"

namespace dovetail::pose {
namespace {

using Taken = std::vector<std::size_t>;

ErrorTable table(const std::vector<std::vector<double>>& rows) {
  ErrorTable errors(rows.size(), rows[0].size());
  for (std::size_t e = 0; e < rows.size(); ++e) {
    for (std::size_t t = 0; t < rows[e].size(); ++t) errors(e, t) = rows[e][t];
  }
  return errors;
}

const std::vector<std::uint8_t> both{1, 1};

TEST(Matching, TheBestScoredTakesItsNearest) {
  const ErrorTable errors = table({{2, 1}, {3, 0.5}});
  EXPECT_EQ(match_greedily(errors, first_of(2), both, 10), (Taken{1, 0}));
  EXPECT_EQ(match_greedily(errors, Taken{1, 0}, both, 10), (Taken{1, 0})) << "the other order, each its own nearest";
}

TEST(Matching, BelowIsStrict) {
  const ErrorTable errors = table({{5, 7}});
  EXPECT_EQ(match_greedily(errors, first_of(1), both, 5), (Taken{no_truth}));
  EXPECT_EQ(match_greedily(errors, first_of(1), both, 5.000001), (Taken{0}));
}

TEST(Matching, ATruthIsTakenOnce) {
  EXPECT_EQ(match_greedily(table({{1, 9}, {1, 9}}), first_of(2), both, 5), (Taken{0, no_truth}));
}

TEST(Matching, OfEqualErrorsTheFirstTruth) {
  EXPECT_EQ(match_greedily(table({{1, 1}}), first_of(1), both, 5), (Taken{0}));
}

TEST(Matching, OnlyWhatIsAllowed) {
  EXPECT_EQ(match_greedily(table({{1, 2}}), first_of(1), std::vector<std::uint8_t>{0, 1}, 5), (Taken{1}));
  EXPECT_EQ(match_greedily(ErrorTable(2, 0), first_of(2), {}, 5), (Taken{no_truth, no_truth}));
}

TEST(AveragePrecision, AtAHundredAndOneRecalls) {
  EXPECT_EQ(precision_at_101_recalls({{0.9, true}, {0.8, true}}, 2), 1);
  EXPECT_EQ(precision_at_101_recalls({}, 2), 0);
  EXPECT_EQ(precision_at_101_recalls({{0.9, true}}, 0), 0);
  EXPECT_NEAR(precision_at_101_recalls({{0.9, true}}, 2), 51 / 101.0, 1e-15) << "recalls 0 to 0.50";
  // Right, wrong, right of two: precision 1 up to 0.50, then 2/3.
  EXPECT_NEAR(precision_at_101_recalls({{0.9, true}, {0.8, false}, {0.7, true}}, 2), (51 + 50 * 2 / 3.0) / 101, 1e-15);
  // Wrong, right: the highest precision at that recall or more is 1/2 everywhere.
  EXPECT_NEAR(precision_at_101_recalls({{0.9, false}, {0.8, true}}, 1), 0.5, 1e-15);
}

TEST(AveragePrecision, RecallsAreComparedAsDoubles) {
  // 35 of 100 found: that ratio is below 35 × 0.01 = 0.35000000000000003, so the level is not reached. 36 / 100 is not.
  ASSERT_LT(35.0 / 100, 35 * 0.01);
  EXPECT_NEAR(precision_at_101_recalls(std::vector<Judged>(35, {1, true}), 100), 35 / 101.0, 1e-15);
  EXPECT_NEAR(precision_at_101_recalls(std::vector<Judged>(36, {1, true}), 100), 37 / 101.0, 1e-15);
}

TEST(AveragePrecision, EqualScoresCountInTheirOrder) {
  EXPECT_EQ(precision_at_101_recalls({{0.5, true}, {0.5, false}}, 1), 1);
  EXPECT_EQ(precision_at_101_recalls({{0.5, false}, {0.5, true}}, 1), 0.5);
  EXPECT_EQ(precision_at_101_recalls({{0.5, false}, {0.6, true}}, 1), 1) << "by score first";
  EXPECT_EQ(area_below_precision({{0.5, false}, {0.5, true}}, 1), 0.5);
  EXPECT_EQ(area_below_precision({{0.5, true}, {0.5, false}}, 1), 1);
}

TEST(AveragePrecision, AsAnArea) {
  EXPECT_EQ(area_below_precision({{0.9, true}}, 2), 0.5);
  EXPECT_NEAR(area_below_precision({{0.9, true}, {0.8, false}, {0.7, true}}, 2), (1 + 2 / 3.0) / 2, 1e-15);
  EXPECT_EQ(area_below_precision({}, 3), 0);
  EXPECT_EQ(area_below_precision({{0.9, false}}, 0), 0);
}

}  // namespace
}  // namespace dovetail::pose
