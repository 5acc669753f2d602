// SPDX-License-Identifier: MIT
// Part of Dovetail.

#include "backend/cpu/cpu_backend.h"
#include "backend/cuda/cuda_backend.h"
#include "soft/pass_cases.h"
#include "support/machines.h"

namespace dovetail {
namespace {

using namespace test;

/// Below 8,192 points every pair is computed.
class SoftPassOnTheGpu : public NeedsCuda<testing::TestWithParam<std::size_t>> {};
INSTANTIATE_TEST_SUITE_P(AwkwardSizes, SoftPassOnTheGpu, testing::Values(1, 2, 31, 32, 33, 257, 1000, 2049),
                         testing::PrintToStringParamName());

TEST_P(SoftPassOnTheGpu, MatchesTheReference) {
  CudaBackend cuda(0);
  for (const bool weighted : {false, true}) expect_updates_match(cuda, GetParam(), weighted);
}

/// From there on a tree is walked. The oracle would take minutes; the CPU, every pair computed, has been compared with
/// it.
using SoftWalkOnTheGpu = NeedsCuda<testing::Test>;

TEST_F(SoftWalkOnTheGpu, MatchesTheCpu) {
  CudaBackend cuda(0);
  CpuBackend cpu(0);
  for (const bool weighted : {false, true}) expect_updates_match(cuda, cpu, 10'007, weighted);
}

TEST_F(SoftWalkOnTheGpu, MatchesTheCpuInOneUpdate) {
  CudaBackend cuda(0);
  CpuBackend cpu(0);
  const Problem problem = soft_problem(8'300, false);
  const Level there = soft_level(problem, Clusters::target, cuda), here = soft_level(problem, Clusters::target, cpu);
  for (const double sigma : {0.3, 0.02}) expect_same_update(cuda, there, cpu, here, {.sigma = sigma});
}

}  // namespace
}  // namespace dovetail
