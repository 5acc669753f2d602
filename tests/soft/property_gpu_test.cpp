// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "search/soft_search.h"
#include "soft/property_cases.h"

namespace dovetail {
namespace {

using namespace test;

using SoftPropertyOnTheGpu = NeedsCuda<testing::Test>;

constexpr std::size_t points = 3000, many = 12'000;  ///< the second number walks the tree

TEST_F(SoftPropertyOnTheGpu, RecoversKnownMotions) {
  expect_soft_recovery(Machine::cuda, EmIcp{}, points);
  expect_soft_recovery(Machine::cuda, Softassign{}, points);
  expect_soft_recovery(Machine::cuda, EmIcp{}, many);
}
TEST_F(SoftPropertyOnTheGpu, MovingBothCloudsMovesTheAnswer) {
  expect_soft_equivariance(Machine::cuda, EmIcp{}, points);
}
TEST_F(SoftPropertyOnTheGpu, TheOrderOfPointsDoesNotMatter) {
  expect_soft_order_does_not_matter(Machine::cuda, EmIcp{}, points);
}
TEST_F(SoftPropertyOnTheGpu, UnitsDoNotMatter) { expect_soft_scale_free(Machine::cuda, EmIcp{}, points); }
TEST_F(SoftPropertyOnTheGpu, TheSameBitsEveryTime) {
  expect_soft_repeats(Machine::cuda, EmIcp{}, many);
  expect_soft_repeats(Machine::cuda, EmIcp{.weighting = Weighting::square_root}, many);
  expect_soft_repeats(Machine::cuda, Softassign{}, many);
}
TEST_F(SoftPropertyOnTheGpu, TheSameBitsWhenWatched) {
  expect_watching_soft_changes_nothing(Machine::cuda, EmIcp{}, many);
  expect_watching_soft_changes_nothing(Machine::cuda, Softassign{}, points);
}
TEST_F(SoftPropertyOnTheGpu, EndsWhereTheCpuEnds) {
  expect_machines_agree(Machine::cuda, Machine::cpu, EmIcp{}, many);
  expect_machines_agree(Machine::cuda, Machine::cpu, EmIcp{.weighting = Weighting::square_root}, points);
  expect_machines_agree(Machine::cuda, Machine::cpu, Softassign{}, points);
}

}  // namespace
}  // namespace dovetail
