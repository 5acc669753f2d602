// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include <cstdio>

#include "backend/cpu/cpu_backend.h"
#include "icp/pass_cases.h"

namespace dovetail {
namespace {

using namespace test;

/// One short of, at and beyond a vector, a warp and a block of the sum's definition.
class PassOnTheCpu : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(AwkwardSizes, PassOnTheCpu, testing::Values(1, 2, 7, 8, 9, 31, 32, 33, 1000, 1023, 1024, 1025),
                         testing::PrintToStringParamName());

TEST_P(PassOnTheCpu, MatchesTheReference) {
  CpuBackend cpu(2);
  for (const bool weighted : {false, true}) expect_passes_match(cpu, GetParam(), weighted, every_setting());
}

TEST_P(PassOnTheCpu, EvaluationMatchesTheReference) {
  CpuBackend cpu(2);
  expect_evaluations_match(cpu, GetParam());
}

TEST(PassOnTheCpuOfManyBlocks, MatchesTheReference) {
  CpuBackend cpu(2);
  expect_passes_match(cpu, 10007, true,
                      {{Kernel::geman_mcclure, true, false}, {Kernel::tukey, false, true}, {Kernel::none}});
  expect_evaluations_match(cpu, 10007);
  RecordProperty("largest_share_of_tolerance", std::to_string(largest_ratio));
}

TEST(PassAccuracy, AShareOfTheToleranceIsUsed) {
  // A tolerance that nothing comes near would hide a defect: some entry uses a thousandth of it at least.
  CpuBackend cpu(2);
  largest_ratio = 0;
  expect_passes_match(cpu, 1000, true, every_setting());
  EXPECT_GT(largest_ratio, 1e-3);
  std::printf("largest share of the tolerance used: %.3f\n", largest_ratio);
}

TEST(PassWithUnknownNormals, MatchesTheReference) {
  CpuBackend cpu(2);
  expect_passes_match(cpu, problem_with_unknown_normals(), {{Kernel::none}, {Kernel::geman_mcclure, true}});
}

/// Several problems of different sizes in one batch: states read their own.
TEST(PassOnTheCpuOfABatch, EveryStateReadsItsOwnProblem) {
  CpuBackend cpu(2);
  std::vector<Level> levels;
  for (const std::size_t size : {5, 1030, 64}) levels.push_back(bumpy_problem(size, size, false).on(cpu));
  Batch<Evaluation> batch;
  batch.params = {0.03, 0.02, 0.05};
  batch.data = surfaces_of(levels);
  for (const std::uint32_t problem : {2u, 0u, 1u, 2u}) batch.states.emplace_back().data = problem;
  cpu.run(batch);
  EXPECT_EQ(batch.sums[0].points, 64);
  EXPECT_EQ(batch.sums[1].points, 5);
  EXPECT_EQ(batch.sums[2].points, 1030);
  EXPECT_EQ(batch.sums[3].inlier_squared, batch.sums[0].inlier_squared);
}

}  // namespace
}  // namespace dovetail
